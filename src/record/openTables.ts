import type { RowWriter } from '../arrow/rowWriter.ts'
import type { DirectoryCodes } from './directory.ts'
import { auctionTable, bidTable } from './cashOutTables.ts'
import { journalTable, rejectionTable, webhookTable } from './logTables.ts'
import { equityTable, ledgerTable, markTable, operationTable, vaultTransactionTable } from './moneyTables.ts'
import { acceptanceTable, positionTable, quoteTable, requestTable, settlementTable } from './tables.ts'
import type { TableShape } from './tableShape.ts'

/** A table's writer and the indices of its columns. */
export type OpenTable<S extends TableShape<string>> = readonly [writer: RowWriter, at: S['at']]

/** Opens a session's tables in the order of the design. Rows of all services go into the same tables. */
export const openTables = (open: <S extends TableShape<string>>(shape: S) => OpenTable<S>, codes: DirectoryCodes) => ({
  requests: open(requestTable(codes)),
  quotes: open(quoteTable(codes)),
  acceptances: open(acceptanceTable(codes)),
  positions: open(positionTable(codes)),
  settlements: open(settlementTable(codes)),
  auctions: open(auctionTable(codes)),
  bids: open(bidTable(codes)),
  vaultTransactions: open(vaultTransactionTable(codes)),
  operations: open(operationTable(codes)),
  webhooks: open(webhookTable()),
  ledger: open(ledgerTable()),
  rejections: open(rejectionTable(codes)),
  journal: open(journalTable()),
  marks: open(markTable(codes)),
  equity: open(equityTable(codes)),
})

export type OpenTables = ReturnType<typeof openTables>
