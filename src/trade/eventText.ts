/** Cuts the text of a stream of server-sent events into events, without the comments before their lines. A comment alone is no event of the stream but counts as one that was sent. */
export class EventText {
  private readonly told: (event: string) => void
  private text = ''

  constructor(told: (event: string) => void) {
    this.told = told
  }

  take(part: string): void {
    this.text += part
    for (let end = this.text.indexOf('\n\n'); end >= 0; end = this.text.indexOf('\n\n')) {
      const event = this.text.slice(0, end)
      this.text = this.text.slice(end + 2)
      this.told(withoutComments(event))
    }
  }
}

/** A service says by comments that a stream stands, while nothing comes (`: heartbeat`). */
function withoutComments(event: string): string {
  if (!event.startsWith(':') && !event.includes('\n:')) return event
  const lines = event.split('\n').filter((line) => !line.startsWith(':'))
  return lines.length === 0 ? event : lines.join('\n')
}

/** Name and data of an event, or null for one without both. */
export function eventOf(text: string): { readonly event: string; readonly data: unknown } | null {
  const lines = new Map(text.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trimStart()]))
  const event = lines.get('event')
  const data = lines.get('data')
  return event === undefined || data === undefined ? null : { event, data: JSON.parse(data) as unknown }
}
