// Draws every chart into its element; nothing is fetched, and expressions are interpreted (ast), not compiled.
const specs = JSON.parse(document.getElementById("charts").textContent);
for (const box of document.querySelectorAll("[data-chart]"))
  vegaEmbed(box, specs[box.dataset.chart], { renderer: "svg", actions: false, tooltip: { theme: "custom" }, ast: true })
    .catch(error => { box.textContent = "This chart could not be drawn: " + error.message; });
