'use strict'
/* Shows a session as it is played: what the port's stream tells, to who has the link with the token. */
{
  const AGAIN_MS = 2000
  const UNKNOWN = '–'
  const CLOSED = 'closed'
  const NO_LINK = 'This page is opened by the link that parlor serve told, with all that stands behind its #.'
  const byId = (id) => document.getElementById(id)
  const token = () => location.hash.slice(1)

  /** As `usd` of format.ts, which a page cannot import: it stands alone. */
  function usd(micros) {
    if (micros === null) return UNKNOWN
    const cents = String(Math.round(Math.abs(micros) / 10000)).padStart(3, '0')
    const text = `${cents.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${cents.slice(-2)}`
    return micros < 0 && /[1-9]/.test(text) ? `\u2212${text}` : text
  }

  const whole = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, ',')
  const odds = (oddsE4) => (oddsE4 / 10000).toFixed(4)
  const dayOf = (us) => new Date(us / 1000).toISOString().slice(0, 10)
  const timeOf = (us) => (us === null ? UNKNOWN : new Date(us / 1000).toISOString().slice(11, 19))
  const legsText = (legs) => legs.map(({ ticker, side }) => `${ticker} ${side}`).join(', ')
  const offerText = ({ oddsE4, priceMicros }) => (oddsE4 === null ? usd(priceMicros) : odds(oddsE4))

  /** A cell: its text, its class, a title, a badge behind it, a button around it. */
  const cell = (text, className = '', more = {}) => ({ text, className, ...more })
  /** It may be longer than there is room. */
  const name = (text, className = '') => cell(text, `name ${className}`.trim(), { title: text })
  const number = (text, className = '') => cell(text, `number ${className}`.trim())
  const signed = (micros) => number(usd(micros), micros < 0 ? 'bad' : micros > 0 ? 'good' : '')

  function setText(node, text) {
    if (node.textContent !== text) node.textContent = text
  }

  function paint(row, { cells, className = '' }) {
    if (row.className !== className) row.className = className
    cells.forEach(({ text, className: own, title = '', badge = '', isHead = false, pressed = null }, i) => {
      const at = row.cells[i] ?? row.appendChild(document.createElement(isHead ? 'th' : 'td'))
      if (isHead) at.scope = 'row'
      if (at.className !== own) at.className = own
      if (at.title !== title) at.title = title
      if (pressed === null && badge === '') {
        if (at.firstElementChild !== null || at.textContent !== text) at.textContent = text
        return
      }
      if (at.firstElementChild === null) at.replaceChildren(document.createElement(pressed === null ? 'span' : 'button'))
      const inner = at.firstElementChild
      setText(inner, text)
      if (pressed !== null) {
        inner.type = 'button'
        inner.setAttribute('aria-pressed', String(pressed))
      }
      if (badge === '') return inner.nextElementSibling?.remove()
      if (inner.nextElementSibling === null) at.append(' ', document.createElement('span'))
      const mark = inner.nextElementSibling
      mark.className = 'badge'
      setText(mark, badge)
    })
  }

  /** Rows stay where they are while their items do: what is being clicked, read or focused is not taken away. */
  function showRows(section, items, keyOf, rowOf) {
    const body = section.querySelector('tbody')
    const keys = new Set(items.map((item) => String(keyOf(item))))
    for (const row of body.querySelectorAll('tr')) if (!keys.has(row.dataset.key)) row.remove()
    const known = new Map([...body.rows].map((row) => [row.dataset.key, row]))
    let at = body.firstElementChild
    for (const item of items) {
      const key = String(keyOf(item))
      const row = known.get(key) ?? document.createElement('tr')
      row.dataset.key = key
      paint(row, rowOf(item))
      if (row === at) at = at.nextElementSibling
      else body.insertBefore(row, at)
    }
    section.querySelector('.scroll').hidden = items.length === 0
    const empty = section.querySelector('.empty')
    if (empty !== null) empty.hidden = items.length > 0
  }

  const shown = { requests: [], isHeld: false, chosen: null }

  function showRequests(requests) {
    const now = new Map(requests.map((request) => [request.key, request]))
    shown.requests = shown.isHeld ? shown.requests.map((request) => now.get(request.key) ?? request) : requests
    showRows(byId('requests'), shown.requests, ({ key }) => key, ({ key, atUs, isCashOut, owner, legs, amountMicros, state, isOpen, offers, best }) => ({
      className: `${isOpen ? '' : 'ended'}${key === shown.chosen ? ' chosen' : ''}`.trim(),
      cells: [
        cell(atUs === null ? 'earlier' : timeOf(atUs), '', { pressed: key === shown.chosen }), name(owner, 'extra'), number(usd(amountMicros)), number(whole(offers), 'extra'),
        number(best === null ? UNKNOWN : offerText(best)), cell(state, 'state'), cell(legsText(legs), 'fine', { badge: isCashOut ? 'cash-out' : '' }),
      ],
    }))
  }

  function showBook(book) {
    const isKnown = book !== null
    byId('book-body').hidden = !isKnown
    const empty = byId('book').querySelector('.empty')
    empty.hidden = isKnown
    setText(empty, shown.chosen === null ? 'Choose a request to see its quotes.' : 'The request is not known any more.')
    setText(byId('book-title'), isKnown && book.request.atUs !== null ? `Book of the request of ${timeOf(book.request.atUs)}` : 'Book of a request')
    if (!isKnown) return
    const { id, request, untilUs, offers } = book
    setText(byId('book-owner'), request.owner)
    setText(byId('book-amount-name'), request.isCashOut ? 'pays, USDC' : 'bet, USDC')
    setText(byId('book-offer-name'), request.isCashOut ? 'price, USDC' : 'odds')
    setText(byId('book-amount'), usd(request.amountMicros))
    setText(byId('book-state'), request.state)
    setText(byId('book-until'), timeOf(untilUs))
    setText(byId('book-id'), id)
    byId('book-legs').replaceChildren(...request.legs.map((leg) => Object.assign(document.createElement('li'), { textContent: legsText([leg]) })))
    showRows(byId('book-body'), offers, ({ maker }) => maker, (offer) => ({
      className: `${offer.isLive || offer.isBest ? '' : 'ended'}${offer.isBest ? ' best' : ''}`.trim(),
      cells: [
        cell(offer.maker, '', { isHead: true, badge: offer.isBest ? 'best' : '' }), number(offerText(offer)), number(usd(offer.riskMicros)), cell(timeOf(offer.untilUs)), cell(offer.state, 'state'),
      ],
    }))
  }

  function showState({ requests, makers, positions, positionCount }) {
    showRequests(requests)
    showRows(byId('makers'), makers, ({ name }) => name, (maker) => ({
      cells: [
        cell(maker.name, '', { isHead: true, badge: maker.isClient ? 'client' : '' }), signed(maker.profitMicros),
        { ...signed(maker.openMicros), badge: maker.unpriced > 0 ? `${whole(maker.unpriced)} without a price` : '' },
        number(usd(maker.freeMicros)), number(usd(maker.lockedMicros)), number(whole(maker.backed), 'extra'), number(whole(maker.held), 'extra'),
      ],
    }))
    setText(byId('position-count'), positionCount > positions.length ? `${positions.length} newest of ${whole(positionCount)}` : positionCount > 0 ? whole(positionCount) : '')
    showRows(byId('positions'), positions, (position) => position.number, (position) => ({
      cells: [
        number(String(position.number)), name(position.holder, 'extra'), name(position.backer), number(usd(position.stakeMicros)), number(usd(position.payoutMicros)),
        number(position.value === null ? UNKNOWN : `${(100 * position.value).toFixed(1)}%`), cell(legsText(position.legs), 'fine'),
      ],
    }))
  }

  function turnsText({ count, waitsFor, away }) {
    const waits = waitsFor.length === 0 ? '' : `, waits for ${waitsFor.join(' and ')}`
    return `its clients, ${whole(count)} ${count === 1 ? 'turn' : 'turns'}${waits}${away.length === 0 ? '' : `, without ${away.join(' and ')}`}`
  }

  function showClock({ atUs, speed, turns }) {
    setText(byId('clock'), `${dayOf(atUs)} ${timeOf(atUs)}`)
    setText(byId('pace'), turns !== null ? turnsText(turns) : speed === 1 ? "the wall's clock" : `the wall's clock, ${speed} times as fast`)
  }

  function say(link, notice = '') {
    setText(byId('link'), link)
    setText(byId('notice'), notice)
    byId('notice').hidden = notice === ''
    byId('main').hidden = link === CLOSED
  }

  let isOver = false
  let stop = new AbortController()

  const hears = {
    clock: showClock, state: showState, book: showBook,
    over: () => {
      isOver = true
      say('the session is over')
    },
  }
  /** Follows the stream until it ends. Returns whether to try again. */
  async function follow(signal) {
    const response = await fetch(`/live${shown.chosen === null ? '' : `?request=${shown.chosen}`}`, { headers: { authorization: `Bearer ${token()}` }, cache: 'no-store', signal })
    if (response.status === 401) {
      say(CLOSED, NO_LINK)
      return false
    }
    if (!response.ok) throw new Error((await response.json()).error)
    say('is live')
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()
    let rest = ''
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const events = (rest + read.value).split('\n\n')
      rest = events.pop()
      for (const text of events) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(text)
        hears[name](JSON.parse(data))
      }
    }
    return !isOver
  }

  async function open() {
    stop.abort()
    const { signal } = stop = new AbortController()
    if (token() === '') return say(CLOSED, NO_LINK)
    for (let again = true; again && !signal.aborted;) {
      try {
        again = await follow(signal)
      } catch (error) {
        if (signal.aborted || isOver) return
        say('lost, tries again', error instanceof TypeError ? '' : error.message)
      }
      if (again) await new Promise((resolve) => { setTimeout(resolve, AGAIN_MS) })
    }
  }

  byId('requests').addEventListener('click', (event) => {
    const row = event.target.closest('tbody tr')
    if (row === null) return
    shown.chosen = row.dataset.key === shown.chosen ? null : row.dataset.key
    showRequests(shown.requests)
    if (shown.chosen === null) showBook(null)
    if (!isOver) open()
  })
  byId('hold').addEventListener('click', () => {
    shown.isHeld = !shown.isHeld
    byId('hold').setAttribute('aria-pressed', String(shown.isHeld))
  })
  addEventListener('hashchange', open)
  showState({ requests: [], makers: [], positions: [], positionCount: 0 })
  open()
}
