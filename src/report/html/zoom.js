'use strict'
/* Lets buttons, keys and the mouse show a stretch of the time of a picture of offers. What it shows at first is all of it. */
{
  const PAN = 0.2
  const ZOOM = 0.5
  /** Of the whole time a stretch is at least so much. */
  const LEAST = 1e-4
  /** A shorter drag is a click, pixels of the screen. */
  const DRAG_PX = 6
  const TICKS = 6
  const ACTS = [['earlier', 'Earlier', '←'], ['later', 'Later', '→'], ['in', 'Zoom in', '+'], ['out', 'Zoom out', '−'], ['all', 'Show all', 'All']]
  const KEYS = { '+': 'in', '=': 'in', '-': 'out', '_': 'out', 0: 'all' }
  const MOVED = /^translate\(([^,]+),([^)]+)\)$/

  const make = (name, attributes, ...children) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value)
    element.append(...children)
    return element
  }

  class Zoomed {
    constructor(svg) {
      this.svg = svg
      const [end, left, right] = svg.dataset.time.split(' ').map(Number)
      Object.assign(this, { end, left, right, from: 0, to: end })
      const [ticks, texts] = svg.querySelectorAll('g[data-tick]')
      this.axis = [ticks, texts].map((group) => ({ group, kept: [...group.children], y: MOVED.exec(group.firstElementChild.getAttribute('transform'))[2] }))
      this.clip = make('clipPath', { id: `${svg.closest('figure').id}-frame` }, make('rect', { x: left, y: 0, width: right - left, height: svg.getAttribute('height') }))
      svg.prepend(this.clip)
      this.marks = [...svg.querySelectorAll('g[data-timed] > *')].map((element) => placing(element))
    }

    get isAll() { return this.from === 0 && this.to === this.end }

    /** Shows a stretch, moved back inside of what there is. */
    show(from, to) {
      const length = Math.min(this.end, Math.max(LEAST * this.end, to - from))
      this.from = Math.min(Math.max(0, (from + to - length) / 2), this.end - length)
      this.to = this.from + length
      const scale = this.end / length
      const shift = this.left - (this.from / this.end) * (this.right - this.left) * scale - this.left * scale
      for (const place of this.marks) place({ scale, shift, left: this.left, right: this.right, clip: this.isAll ? null : `url(#${this.clip.id})` })
      this.label()
      this.svg.dataset.from = this.from
      this.svg.dataset.to = this.to
      this.svg.dispatchEvent(new Event('zoomed'))
    }

    label() {
      const [ticks, texts] = this.axis
      if (this.isAll) {
        for (const { group, kept } of this.axis) group.replaceChildren(...kept)
        return
      }
      const length = this.to - this.from
      const power = 10 ** Math.floor(Math.log10(length / TICKS))
      const step = power * [1, 2, 5, 10].find((factor) => factor * power * TICKS >= length)
      const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9))
      const at = []
      for (let n = Math.ceil(this.from / step - 1e-9); n * step <= this.to * (1 + 1e-12); n++) at.push(n * step)
      const x = (value) => this.left + ((value - this.from) / length) * (this.right - this.left)
      ticks.group.replaceChildren(...at.map((value) => copyAt(ticks, x(value))))
      texts.group.replaceChildren(...at.map((value) => Object.assign(copyAt(texts, x(value)), { textContent: value.toFixed(digits) })))
    }

    act(what) {
      const { from, to } = this
      const length = to - from
      if (what === 'all') return this.show(0, this.end)
      if (what === 'earlier' || what === 'later') {
        const by = length * (what === 'later' ? PAN : -PAN)
        return this.show(from + by, to + by)
      }
      const half = (length * (what === 'in' ? ZOOM : 1 / ZOOM)) / 2
      return this.show((from + to) / 2 - half, (from + to) / 2 + half)
    }

    /** The time at a place of the screen. */
    timeAt(clientX) {
      const { left, width } = this.svg.getBoundingClientRect()
      const x = ((clientX - left) * this.svg.viewBox.baseVal.width) / width
      return this.from + ((Math.min(this.right, Math.max(this.left, x)) - this.left) / (this.right - this.left)) * (this.to - this.from)
    }

    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const what = event.shiftKey && event.key.startsWith('Arrow') ? { ArrowLeft: 'earlier', ArrowRight: 'later' }[event.key] : KEYS[event.key]
      if (what === undefined) return
      this.act(what)
      event.preventDefault()
    }

    listen() {
      const { svg } = this
      const buttons = Object.assign(document.createElement('div'), { className: 'bar buttons' })
      buttons.setAttribute('role', 'group')
      buttons.setAttribute('aria-label', `Time shown of ${svg.closest('figure').querySelector('b').textContent}`)
      for (const [what, title, face] of ACTS) {
        const button = Object.assign(document.createElement('button'), { type: 'button', value: what, title, textContent: face })
        button.setAttribute('aria-label', title)
        button.addEventListener('click', () => this.act(what))
        buttons.append(button)
      }
      svg.before(buttons)
      svg.setAttribute('aria-description', `${svg.getAttribute('aria-description') ?? ''} Plus and minus zoom, zero shows all; with shift, arrow keys move.`.trim())
      svg.addEventListener('keydown', (event) => this.onKey(event))
      let begun = null
      svg.addEventListener('pointerdown', (event) => {
        if (event.pointerType !== 'mouse' || event.button !== 0) return
        begun = event.clientX
        svg.setPointerCapture(event.pointerId)
      })
      svg.addEventListener('pointerup', (event) => {
        if (begun !== null && Math.abs(event.clientX - begun) >= DRAG_PX) this.show(...[begun, event.clientX].map((at) => this.timeAt(at)).sort((a, b) => a - b))
        begun = null
      })
      svg.addEventListener('dblclick', () => this.act('all'))
    }
  }

  function copyAt({ kept, y }, x) {
    const copy = kept[0].cloneNode(true)
    copy.setAttribute('transform', `translate(${x},${y})`)
    return copy
  }

  /** How a mark goes to its place: a line between its ends, a sign to its point, and a path as a whole. */
  function placing(element) {
    const moved = MOVED.exec(element.getAttribute('transform') ?? '')
    const ends = ['x1', 'x2'].map((name) => Number(element.getAttribute(name)))
    const shown = (isShown) => { if (isShown) element.removeAttribute('display'); else element.setAttribute('display', 'none') }
    if (element.localName === 'line') {
      return ({ scale, shift, left, right }) => {
        const [x1, x2] = ends.map((x) => Math.min(right, Math.max(left, scale * x + shift)))
        element.setAttribute('x1', x1)
        element.setAttribute('x2', x2)
        const [first, last] = ends.map((x) => scale * x + shift)
        shown(Math.max(first, last) >= left - 0.1 && Math.min(first, last) <= right + 0.1)
      }
    }
    if (element.localName === 'circle' || moved !== null) {
      const at = Number(moved === null ? element.getAttribute('cx') : moved[1])
      return ({ scale, shift, left, right }) => {
        const x = scale * at + shift
        if (moved === null) element.setAttribute('cx', x)
        else element.setAttribute('transform', `translate(${x},${moved[2]})`)
        shown(x >= left - 0.1 && x <= right + 0.1)
      }
    }
    element.setAttribute('vector-effect', 'non-scaling-stroke')
    return ({ scale, shift, clip }) => {
      element.setAttribute('transform', `matrix(${scale} 0 0 1 ${shift} 0)`)
      if (clip === null) element.parentNode.removeAttribute('clip-path')
      else element.parentNode.setAttribute('clip-path', clip)
    }
  }

  for (const svg of document.querySelectorAll('svg.plot[data-time]')) new Zoomed(svg).listen()
}
