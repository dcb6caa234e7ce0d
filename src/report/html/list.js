// Searches, sorts and compares the rows of a list of results. Without it the list is there as it was written.
(() => {
  const table = document.querySelector('#list')
  if (table === null) return
  const body = table.tBodies[0]
  const rows = [...body.rows]
  const search = document.querySelector('#search')
  const shown = document.querySelector('#shown')
  const compare = document.querySelector('#compare')

  function filter() {
    const words = search.value.toLowerCase().split(/\s+/).filter((word) => word !== '')
    let count = 0
    for (const row of rows) {
      const text = row.textContent.toLowerCase()
      row.hidden = !words.every((word) => text.includes(word))
      if (!row.hidden) count += 1
    }
    shown.textContent = words.length === 0 ? '' : `${count} of ${rows.length}`
  }

  const valueOf = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent
  const order = new Intl.Collator('en', { numeric: true })

  function sort(head) {
    const isDown = head.getAttribute('aria-sort') === 'ascending'
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort')
    head.setAttribute('aria-sort', isDown ? 'descending' : 'ascending')
    const column = head.cellIndex
    body.append(...rows.toSorted((a, b) => order.compare(valueOf(a, column), valueOf(b, column)) * (isDown ? -1 : 1)))
  }

  for (const head of table.querySelectorAll('th[data-sorts]')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = head.textContent
    button.addEventListener('click', () => { sort(head) })
    head.replaceChildren(button)
  }

  function choose() {
    const [a, b] = ['a', 'b'].map((side) => table.querySelector(`input[name=${side}]:checked`)?.value)
    compare.hidden = a === undefined || b === undefined || a === b
    if (!compare.hidden) compare.href = `/compare?a=${encodeURIComponent(a)}&b=${encodeURIComponent(b)}`
  }

  search.addEventListener('input', filter)
  for (const control of [search.parentElement, shown]) control.hidden = false
  if (compare !== null) table.addEventListener('change', choose)
})()
