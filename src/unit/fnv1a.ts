/** FNV-1a over the code units of a text, 32 bits, signed. Another basis gives another hash. */
export function fnv1a(text: string, basis = 0x811c9dc5): number {
  let hash = basis | 0
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash
}
