'use strict'
/* Draws the long series of a page with uPlot, and lets keys, buttons and the pointer move through them. */
{
  const HEIGHT_PX = 300
  const PAN = 0.2
  const ZOOM = 0.5
  /** Narrower than this is no view, seconds. */
  const SPAN_MIN_S = 1
  /** Between ticks of what is counted. */
  const COUNT_STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 1000000, 10000000]

  const root = document.documentElement
  const series = JSON.parse(document.getElementById('series').textContent)
  const drawn = []

  const cssColor = (name) => getComputedStyle(root).getPropertyValue(name.replace(/^var\(|\)$/g, '')).trim()

  /** Values from their differences, each `scale` of a unit. */
  function restored(differences, scale) {
    let sum = 0
    return differences.map((difference) => (difference === null ? null : (sum += difference) * scale))
  }

  const dataOf = (chart, view) => [
    restored(view.atMs, 1e-3), ...view.values.map((differences) => restored(differences, chart.scale)),
  ]

  const twoDigits = (number) => String(number).padStart(2, '0')

  function instant(seconds, rangeS) {
    const at = new Date(seconds * 1000)
    const day = at.toISOString().slice(0, 10)
    const time = `${twoDigits(at.getUTCHours())}:${twoDigits(at.getUTCMinutes())}`
    return `${day} ${time}${rangeS < 7200 ? `:${twoDigits(at.getUTCSeconds())}` : ''}`
  }

  /** As `fixed` of format.ts, which a page cannot import: it stands alone. */
  function number(value, digits) {
    if (value === null || value === undefined) return '–'
    const text = Math.abs(value).toFixed(digits)
    const [whole, rest] = text.split('.')
    const sign = value < 0 && Number(text) !== 0 ? '−' : ''
    return sign + whole.replace(/\B(?=(\d{3})+$)/g, ',') + (rest === undefined ? '' : `.${rest}`)
  }

  function tickDigits(splits) {
    const step = splits.length > 1 ? Math.abs(splits[1] - splits[0]) : 1
    let digits = 0
    while (digits < 6 && Math.abs(step - Number(step.toFixed(digits))) > step / 1000) digits++
    return digits
  }

  const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

  /** Instants under the axis, UTC: the time where ticks are closer than a day, with the day where it begins to be another. */
  function tickInstants(splits, stepS) {
    let before = ''
    return splits.map((seconds) => {
      const at = new Date(seconds * 1000)
      const day = `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}`
      const first = stepS >= 86400 ? day : instant(seconds, stepS < 60 ? 0 : 7200).slice(11)
      const second = stepS >= 86400 ? String(at.getUTCFullYear()) : day
      const isNew = second !== before
      before = second
      return isNew ? `${first}\n${second}` : first
    })
  }

  const axis = (more) => ({
    stroke: () => cssColor('--muted'), font: '12px system-ui, sans-serif', labelFont: '12px system-ui, sans-serif', ...more,
    grid: { stroke: () => cssColor('--grid'), width: 1 }, ticks: { stroke: () => cssColor('--grid'), width: 1, size: 5 },
  })

  class Chart {
    constructor(element, chart) {
      this.element = element
      this.chart = chart
      this.canvas = element.querySelector('.canvas')
      this.range = element.querySelector('.range')
      this.spoken = element.querySelector('[aria-live]')
      this.outputs = [...element.querySelectorAll('.legend output')]
      this.at = element.querySelector('output.at')
      this.view = 0
      this.data = dataOf(chart, chart.views[0])
      this.plot = new uPlot(this.options(), this.data, this.canvas)
      this.listen()
      for (const control of element.querySelectorAll('[hidden]')) control.hidden = false
      this.fit()
    }

    options() {
      const { chart } = this
      return {
        width: this.canvas.clientWidth || 600, height: HEIGHT_PX, legend: { show: false },
        tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), 'Etc/UTC'),
        cursor: { drag: { x: true, y: false }, points: { size: 6 } },
        scales: { x: { time: true } },
        axes: [axis({ space: 64, values: (_, splits, axisIndex, space, stepS) => tickInstants(splits, stepS) }), axis({ size: 78, ...(chart.digits === 0 ? { incrs: COUNT_STEPS } : {}), values: (_, splits) => splits.map((split) => number(split, tickDigits(splits))) })],
        series: [{}, ...chart.names.map((name, i) => ({
          label: name, width: 1.75, dash: chart.looks[i].dash, stroke: () => cssColor(chart.looks[i].color), points: { show: false },
          ...(chart.isStepped ? { paths: uPlot.paths.stepped({ align: 1 }) } : {}),
        }))],
        hooks: {
          setScale: [(plot, key) => { if (key === 'x') this.tellRange(plot) }],
          setCursor: [(plot) => this.tellValues(plot)],
        },
      }
    }

    get ends() {
      const [at] = this.data
      return [at[0], at[at.length - 1]]
    }

    tellRange(plot) {
      const { min, max } = plot.scales.x
      if (min === null || min === undefined) return
      this.range.textContent = `${instant(min, max - min)} to ${instant(max, max - min)} UTC`
      this.canvas.dataset.from = min
      this.canvas.dataset.to = max
    }

    tellValues(plot) {
      const { idx } = plot.cursor
      this.at.textContent = idx === null || idx === undefined ? '' : `at ${instant(this.data[0][idx], 0)} UTC`
      for (const [i, output] of this.outputs.entries()) {
        output.textContent = idx === null || idx === undefined ? '' : number(this.data[i + 1][idx], this.chart.digits)
      }
    }

    speak() {
      const { idx } = this.plot.cursor
      if (idx === null || idx === undefined) return
      const values = this.chart.names.map((name, i) => `${name} ${number(this.data[i + 1][idx], this.chart.digits)}`)
      this.spoken.textContent = `${instant(this.data[0][idx], 0)}: ${values.join(', ')}`
    }

    /** Shows a stretch, moved back inside of what there is. */
    show(from, to) {
      const [first, last] = this.ends
      const length = Math.min(last - first, Math.max(SPAN_MIN_S, to - from))
      const min = Math.min(Math.max(first, from), last - length)
      this.plot.setScale('x', { min, max: min + length })
    }

    act(what) {
      const { min, max } = this.plot.scales.x
      const length = max - min
      const middle = min + length / 2
      if (what === 'all') return this.show(...this.ends)
      if (what === 'in' || what === 'out') {
        const half = (length * (what === 'in' ? ZOOM : 1 / ZOOM)) / 2
        return this.show(middle - half, middle + half)
      }
      const by = length * (what === 'later' ? PAN : -PAN)
      return this.show(min + by, max + by)
    }

    /** Moves the cursor to the sample before or after. */
    step(by) {
      const { min, max } = this.plot.scales.x
      const [at] = this.data
      const now = this.plot.cursor.idx ?? this.plot.valToIdx(min + (max - min) / 2)
      const next = Math.min(at.length - 1, Math.max(0, now + by))
      if (at[next] < min || at[next] > max) this.act(by > 0 ? 'later' : 'earlier')
      this.plot.setCursor({ left: this.plot.valToPos(at[next], 'x'), top: this.plot.over.clientHeight / 2 })
      this.speak()
    }

    onKey(event) {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const acts = { '+': 'in', '=': 'in', '-': 'out', '_': 'out', '0': 'all', Home: 'all', Escape: 'all' }
      if (event.key in acts) this.act(acts[event.key])
      else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
        const isLater = event.key === 'ArrowRight'
        if (event.shiftKey) this.step(isLater ? 1 : -1)
        else this.act(isLater ? 'later' : 'earlier')
      } else return
      event.preventDefault()
    }

    listen() {
      const { element } = this
      this.canvas.addEventListener('keydown', (event) => this.onKey(event))
      for (const button of element.querySelectorAll('button')) button.addEventListener('click', () => this.act(button.value))
      for (const [i, box] of [...element.querySelectorAll('.legend input')].entries()) {
        box.addEventListener('change', () => this.plot.setSeries(i + 1, { show: box.checked }))
      }
      for (const radio of element.querySelectorAll('.views input')) radio.addEventListener('change', () => this.choose(Number(radio.value)))
      new ResizeObserver(() => this.fit()).observe(this.canvas)
    }

    choose(view) {
      const { min, max } = this.plot.scales.x
      this.data = dataOf(this.chart, this.chart.views[view])
      this.plot.batch(() => {
        this.plot.setData(this.data, false)
        this.plot.setScale('x', { min, max })
      })
    }

    fit() {
      const width = this.canvas.clientWidth
      if (width > 0 && width !== this.plot.width) this.plot.setSize({ width, height: HEIGHT_PX })
    }
  }

  for (const element of document.querySelectorAll('[data-series]')) drawn.push(new Chart(element, series[element.dataset.series]))
  const redraw = () => { for (const { plot } of drawn) plot.redraw(false) }
  for (const query of ['(prefers-color-scheme: dark)', 'print']) matchMedia(query).addEventListener('change', redraw)
}
