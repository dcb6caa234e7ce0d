/** Settlement on a chain did not come to what the ledger has, or came to nothing. It stops the run (exit code 1). */
export class SettlementFailure extends Error {
  override name = 'SettlementFailure'
  /** What machines are told besides the message: plain JSON. */
  readonly details: Readonly<Record<string, unknown>>

  constructor(message: string, details: Readonly<Record<string, unknown>>) {
    super(message)
    this.details = details
  }
}
