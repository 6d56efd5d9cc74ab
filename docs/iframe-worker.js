// Pages that are opened from a folder may not start a worker. There, the search of the site runs in a hidden frame.
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      document.body.append(this.frame);
      const { contentWindow: inner, contentDocument: page } = this.frame;
      inner.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = page.createElement("script");
      script.src = new URL(url, location.href).href;
      script.onload = () => this.start();
      script.onerror = () => this.dispatchEvent(new Event("error"));
      page.body.append(script);
    }

    start() {
      const early = this.waiting;
      this.waiting = null;
      early.forEach((data) => this.postMessage(data));
    }

    postMessage(data) {
      if (this.waiting) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
  window.Worker = window.IFrameWorker;
}
