// Draws every chart into its element; nothing is fetched.
const specs = JSON.parse(document.getElementById("charts").textContent);
for (const box of document.querySelectorAll("[data-chart]"))
  vegaEmbed(box, specs[box.dataset.chart], { renderer: "svg", actions: false, tooltip: { theme: "custom" } })
    .catch(error => { box.textContent = "This chart could not be drawn: " + error.message; });
