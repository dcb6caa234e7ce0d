/** A strategy file whose maker quotes with a margin, a fraction that stands in the file. */
export const quoting = (margin: number): string => `export default { role: 'maker', parameters: {}, create: () => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 60_000_000 })
    if (!(fair > 0)) return desk.pass('no price')
    desk.quote(request, { probability: fair * ${1 + margin}, validUs: 8_000_000 })
  },
}) }
`
