import { NONE } from '../../unit/none.ts'
import { SUBPROTOCOL } from '../../venue/outcome/protocol/access.ts'

/** Name of the one subprotocol that both sockets speak (OM-295, chosen). */
export const SUBPROTOCOL_NAME = 'outcome-rfq.v1'

/** The `version` of a stream command, from the values of the Sec-WebSocket-Protocol headers: −1 when the client offers none that is spoken. */
export const subprotocolOf = (values: readonly string[]): number =>
  (values.some((value) => value.split(',').some((name) => name.trim() === SUBPROTOCOL_NAME)) ? SUBPROTOCOL : NONE)
