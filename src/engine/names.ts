/** A participant's number for keyed draws: FNV-1a over its name, so that no other participant moves it. */
export function entityOfName(name: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < name.length; i++) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193)
  return hash >>> 0
}
