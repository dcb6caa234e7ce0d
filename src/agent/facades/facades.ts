import type { BettorDesk } from '../bettorDesk.ts'
import type { CohortBook } from '../cohortBook.ts'
import type { Cursor } from '../cursor.ts'
import type { Holdings } from '../holdings.ts'
import type { Intents } from '../intents.ts'
import type { MakerBook } from '../makerBook.ts'
import type { MakerDesk } from '../makerDesk.ts'
import type { AckRow, AuctionRow, PositionRow, RefusalRow, RequestRow, SelectionRow } from '../rows.ts'
import type { AckView, AuctionView, HoldingView, IntentView, PositionView, RefusalView, RequestView, SelectionView } from '../views.ts'
import { BettorDeskFacade } from './bettorDesk.ts'
import { HoldingFacade, IntentFacade } from './bettorViews.ts'
import { MakerDeskFacade } from './makerDesk.ts'
import { AckFacade, AuctionFacade, PositionFacade, RefusalFacade, RequestFacade, SelectionFacade } from './makerViews.ts'
import { copiedState, restoreState } from './restoreState.ts'

/**
 * Makes everything that strategies hold, over what the engine keeps. A desk takes only the views of its own facades. The modules of this
 * folder have no other state, so that each realm of strategies can have facades of its own.
 */
export interface Facades {
  makerDesk(book: MakerBook): MakerDesk
  bettorDesk(book: CohortBook): BettorDesk
  request(row: RequestRow): RequestView
  selection(row: SelectionRow): SelectionView
  ack(row: AckRow): AckView
  refusal(row: RefusalRow): RefusalView
  auction(row: AuctionRow): AuctionView
  position(row: PositionRow): PositionView
  intent(cursor: Cursor<Intents>): IntentView
  holding(cursor: Cursor<Holdings>): HoldingView
  /** Makes a strategy's `state` what an image of it holds, in the strategy's own realm. */
  restoreState(state: { [name: string]: unknown }, image: { readonly [name: string]: unknown }): void
  /** A copy of a strategy's `state`, in the realm of another strategy. */
  copiedState(state: { readonly [name: string]: unknown }): { [name: string]: never }
}

/** The facades of the realm in which this module was loaded. */
export const FACADES: Facades = {
  makerDesk: (book) => new MakerDeskFacade(book),
  bettorDesk: (book) => new BettorDeskFacade(book),
  request: (row) => new RequestFacade(row),
  selection: (row) => new SelectionFacade(row),
  ack: (row) => new AckFacade(row),
  refusal: (row) => new RefusalFacade(row),
  auction: (row) => new AuctionFacade(row),
  position: (row) => new PositionFacade(row),
  intent: (cursor) => new IntentFacade(cursor),
  holding: (cursor) => new HoldingFacade(cursor),
  restoreState, copiedState,
}
