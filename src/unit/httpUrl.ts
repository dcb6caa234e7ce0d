export const isHttpUrl = (text: string): boolean => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)

/** A URL as messages show it: its path, its query and what stands before its host may be secrets. */
export function shownUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const { protocol, host, pathname, search, hash } = new URL(text)
  return `${protocol}//${host}${pathname.length > 1 || search !== '' || hash !== '' ? '/…' : ''}`
}
