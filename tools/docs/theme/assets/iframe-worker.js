// Pages that are opened as files may not start a Worker, in which the search runs: its script then runs in a hidden frame.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.appendChild(frame)
      this.window = frame.contentWindow
      this.loaded = new Promise(resolve => {
        const script = this.window.document.createElement("script")
        script.src = url
        script.onload = resolve
        this.window.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
        this.window.document.body.appendChild(script)
      })
    }
    postMessage(data) {
      this.loaded.then(() => this.window.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.window.frameElement.remove()
    }
  }
}
