// Runs in the measured page before its own scripts: watches its socket for the replay of the first
// run that it asks for, and its frames. It is the page's JavaScript, so it has no types.
window.bench = { subscribed: 0, replayed: 0, drawn: 0, gaps: [] }

const send = WebSocket.prototype.send
WebSocket.prototype.send = function (data) {
  if (typeof data === 'string' && data.includes('"subscribe"') && !data.includes('"*"') && window.bench.subscribed === 0) {
    window.bench.subscribed = performance.now()
    this.addEventListener('message', ({ data: heard }) => {
      if (typeof heard !== 'string' || window.bench.replayed > 0 || !heard.slice(0, 200).includes('"replay.end"')) return
      window.bench.replayed = performance.now()
      // The first frame draws it; the second begins when that one is on the screen.
      requestAnimationFrame(() => requestAnimationFrame(() => { window.bench.drawn = performance.now() }))
    })
  }
  send.call(this, data)
}

window.bench.countFrames = () => {
  let last = performance.now()
  const frame = () => {
    const now = performance.now()
    window.bench.gaps.push(now - last)
    last = now
    requestAnimationFrame(frame)
  }
  requestAnimationFrame(frame)
}
