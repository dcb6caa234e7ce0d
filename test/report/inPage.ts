/** Functions that run in the page: as text, since they are not of this program. */

/** Names of figures whose picture has no mark in it, or whose canvas is of one colour. */
export const emptyFigures = `[...document.querySelectorAll('figure')].flatMap((figure) => {
  const name = figure.querySelector('figcaption').textContent
  const canvas = figure.querySelector('canvas')
  if (canvas !== null) {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const colours = new Set()
    for (let i = 0; i < data.length; i += 4) colours.add(data[i] + ' ' + data[i + 1] + ' ' + data[i + 2] + ' ' + data[i + 3])
    return colours.size > 8 ? [] : [name]
  }
  const svg = figure.querySelector('svg.plot')
  const marks = svg === null ? 0 : svg.querySelectorAll('path, rect, circle, line').length
  const { width, height } = (svg ?? figure).getBoundingClientRect()
  return marks > 4 && width > 200 && height > 60 ? [] : [name]
})`

/** Whether a screenshot, given as base64, has so many distinct colours. */
export const hasColours = async ({ base64, least }: { readonly base64: string; readonly least: number }): Promise<boolean> => {
  const { atob, Blob, createImageBitmap, OffscreenCanvas } = globalThis as unknown as {
    atob(text: string): string
    Blob: new (parts: readonly Uint8Array[]) => object
    createImageBitmap(blob: object): Promise<{ width: number; height: number }>
    OffscreenCanvas: new (width: number, height: number) => { getContext(kind: '2d'): { drawImage(image: object, x: number, y: number): void; getImageData(x: number, y: number, w: number, h: number): { data: ArrayLike<number> } } }
  }
  const image = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]))
  const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
  context.drawImage(image, 0, 0)
  const { data } = context.getImageData(0, 0, image.width, image.height)
  const colours = new Set<number>()
  for (let i = 0; i < data.length && colours.size < least; i += 4) colours.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!)
  return colours.size === least
}

interface Styled {
  readonly parentElement: Styled | null
}

/** Texts whose colour stands out from what lies behind them by less than `least` (WCAG 2.2, 1.4.3). */
export const contrastsBelow = (least: number): string[] => {
  const { document, getComputedStyle } = globalThis as unknown as {
    document: { querySelectorAll(selector: string): Iterable<Styled & { childNodes: Iterable<{ nodeType: number; textContent: string }>; namespaceURI: string; getClientRects(): { length: number } }> }
    getComputedStyle(element: Styled): { color: string; fill: string; backgroundColor: string; visibility: string }
  }
  const channels = (text: string): number[] => (text.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = (rgb: readonly number[]): number => {
    const [r, g, b] = rgb.map((channel) => (channel / 255 <= 0.04045 ? channel / 255 / 12.92 : ((channel / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
  }
  const behind = (element: Styled): number[] => {
    for (let at: Styled | null = element; at !== null; at = at.parentElement) {
      const [r, g, b, alpha = 1] = channels(getComputedStyle(at).backgroundColor)
      if (alpha === 1) return [r!, g!, b!]
    }
    return [255, 255, 255]
  }
  const low: string[] = []
  for (const element of document.querySelectorAll('body *')) {
    const own = [...element.childNodes].filter(({ nodeType, textContent }) => nodeType === 3 && textContent.trim() !== '')
    const style = getComputedStyle(element)
    if (own.length === 0 || element.getClientRects().length === 0 || style.visibility === 'hidden') continue
    const [r, g, b] = channels(element.namespaceURI.endsWith('svg') ? style.fill : style.color)
    const [one, other] = [luminance([r!, g!, b!]), luminance(behind(element))]
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)
    if (!(contrast >= least)) low.push(`${contrast.toFixed(2)} ${own[0]!.textContent.trim().slice(0, 40)}`)
  }
  return low
}
