/** Names of states by their numbers, as people read them: `inFlight` is `in flight`. */
export function stateNames(states: Readonly<Record<string, number>>): (state: number) => string {
  const names = new Map(Object.entries(states).map(([name, state]) => [state, name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)]))
  return (state) => names.get(state) ?? String(state)
}
