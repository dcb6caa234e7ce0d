'use strict'
/* Says what the marks of a picture stand for: under the pointer, by touch, and by arrow keys. Without it browsers show the same texts by themselves. */
{
  /** So far from the pointer a mark is still meant. */
  const REACH_PX = 28
  const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }

  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.hidden = true
  const spoken = document.createElement('p')
  spoken.className = 'hidden'
  spoken.setAttribute('aria-live', 'polite')
  document.querySelector('main').append(spoken)

  class Picture {
    constructor(svg, titles) {
      this.svg = svg
      this.figure = svg.closest('figure') ?? svg.parentElement
      this.at = -1
      this.marks = titles.map((title) => {
        const mark = { element: title.parentNode, text: title.textContent }
        title.remove()
        return mark
      })
    }

    listen() {
      const { svg } = this
      svg.setAttribute('tabindex', '0')
      svg.setAttribute('aria-description', 'Arrow keys read its values.')
      for (const name of ['pointermove', 'pointerdown']) svg.addEventListener(name, (event) => this.show(this.nearest(event.clientX, event.clientY)))
      svg.addEventListener('pointerleave', (event) => { if (event.pointerType === 'mouse') this.show(-1) })
      svg.addEventListener('blur', () => this.show(-1))
      svg.addEventListener('zoomed', () => this.show(this.isShown(this.at) ? this.at : -1))
      svg.addEventListener('keydown', (event) => this.onKey(event))
    }

    /** The mark next to a point, the smaller one of two that are equally near; −1 where none is in reach. */
    nearest(x, y) {
      let best = { index: -1, distance: REACH_PX, size: Infinity }
      for (const [index, { element }] of this.marks.entries()) {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        const distance = Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom))
        const size = (right - left) * (bottom - top)
        if (distance < best.distance || (distance === best.distance && size < best.size)) best = { index, distance, size }
      }
      return best.index
    }

    isShown(index) { return (this.marks[index]?.element.getClientRects().length ?? 0) > 0 }

    show(index) {
      this.marks[this.at]?.element.classList.remove('shown')
      this.at = index
      const mark = this.marks[index]
      tip.hidden = mark === undefined
      if (mark === undefined) return
      mark.element.classList.add('shown')
      tip.textContent = mark.text
      this.figure.append(tip)
      this.place(mark.element.getBoundingClientRect())
    }

    /** Puts the text above the mark, inside of the figure. */
    place({ left, right, top, bottom }) {
      const around = this.figure.getBoundingClientRect()
      const middle = (left + right) / 2 - around.left - tip.offsetWidth / 2
      const above = top - around.top - tip.offsetHeight - 8
      tip.style.left = `${Math.max(0, Math.min(middle, around.width - tip.offsetWidth))}px`
      tip.style.top = `${above < 0 ? bottom - around.top + 8 : above}px`
    }

    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      if (event.key in STEPS && event.shiftKey) return
      // A picture that shows a part of its time leaves marks out.
      const shown = [...this.marks.keys()].filter((index) => this.isShown(index))
      const last = shown.length - 1
      const now = shown.indexOf(this.at)
      if (event.key in STEPS) this.show(shown[now < 0 ? (STEPS[event.key] > 0 ? 0 : last) : Math.min(last, Math.max(0, now + STEPS[event.key]))] ?? -1)
      else if (event.key === 'Home' || event.key === 'End') this.show(shown[event.key === 'Home' ? 0 : last] ?? -1)
      else if (event.key === 'Escape') this.show(-1)
      else return
      event.preventDefault()
      spoken.textContent = this.marks[this.at]?.text ?? ''
    }
  }

  const pictures = [...document.querySelectorAll('svg.plot')].map((svg) => [svg, [...svg.querySelectorAll('title')]]).filter(([, titles]) => titles.length > 0)
  for (const [svg, titles] of pictures) new Picture(svg, titles).listen()
}
