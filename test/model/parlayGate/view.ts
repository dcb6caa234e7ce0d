import type { ParlayGateView } from '../../../src/venue/parlay/protocol/gate.ts'
import { scopesOf } from './keys.ts'
import { isCredentialValid } from './limits.ts'
import { endpointName, type State } from './state.ts'

/** The model's state as the gate's view shows it. */
export function viewOf(state: State): ParlayGateView {
  const { keys, live, endpoints, deliveries } = state
  return {
    key: (number) => keys.get(number) ?? null,
    keysOf: (account) => [...keys.values()].filter((key) => key.account === account),
    scopesHeld: (account, credential) => (isCredentialValid(state, account, credential) ? scopesOf(state, credential) : -1),
    isLive: (account) => live.has(account),
    lastLimit: () => state.lastLimit,
    endpoint(account, owner) {
      const endpoint = endpoints.get(endpointName(account, owner))
      return endpoint === undefined ? null : { account, owner, events: endpoint.events, secret: endpoint.secret }
    },
    deliveriesOf: (account, owner) =>
      [...deliveries.values()].filter((one) => one.account === account && one.owner === owner).reverse()
        .map(({ number, event, status, attempts, response, createdAtUs }) =>
          ({ number, account, owner, event, status, attempts, response, createdAtUs })),
  }
}
