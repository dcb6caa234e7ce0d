'use strict'
/* Sorts the rows of a table by a column, by the button in its head. Tables whose order means something are left alone. */
{
  const order = new Intl.Collator('en', { numeric: true })

  /** What a cell says first, or what it says that its place is: an interval stands beneath its estimate and does not count. */
  function textOf(cell) {
    const data = cell.querySelector('data')
    if (data !== null) return data.value
    const own = cell.cloneNode(true)
    for (const small of own.querySelectorAll('small')) small.remove()
    return own.textContent.trim()
  }

  /** NaN for what is no number, such as a dash for what is unknown. */
  function numberOf(text) {
    const match = /^[≤~<+]*\s*([−-]?[\d,]*\.?\d+)/.exec(text)
    return match === null ? NaN : Number(match[1].replaceAll(',', '').replace('−', '-'))
  }

  function sort(table, head) {
    const column = head.cellIndex
    const rows = [...table.tBodies[0].rows].map((row) => ({ row, text: textOf(row.cells[column]) })).map((one) => ({ ...one, number: numberOf(one.text) }))
    const isNumber = head.classList.contains('number') && rows.some(({ number }) => !Number.isNaN(number))
    const before = head.getAttribute('aria-sort')
    const isDown = before === null ? isNumber : before === 'ascending'
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort')
    head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
    const sign = isDown ? -1 : 1
    const byNumber = (a, b) => (Number.isNaN(a.number) || Number.isNaN(b.number) ? Number(Number.isNaN(a.number)) - Number(Number.isNaN(b.number)) : sign * (a.number - b.number))
    const byText = (a, b) => (a.text === '' || b.text === '' ? Number(a.text === '') - Number(b.text === '') : sign * order.compare(a.text, b.text))
    table.tBodies[0].append(...rows.toSorted(isNumber ? byNumber : byText).map(({ row }) => row))
  }

  for (const table of document.querySelectorAll('table:not([data-fixed])')) {
    if (table.tHead === null || table.tHead.rows.length !== 1 || table.tBodies.length !== 1 || table.tBodies[0].rows.length < 2) continue
    for (const head of table.tHead.rows[0].cells) {
      if (head.textContent.trim() === '') continue
      const button = document.createElement('button')
      button.type = 'button'
      button.className = 'sort'
      button.append(...head.childNodes)
      button.addEventListener('click', () => sort(table, head))
      head.append(button)
    }
  }
}
