/** The session's counter of rows: event and posting rows of all services share one total order, from 1. */
export interface RowSequence {
  next: number
}
