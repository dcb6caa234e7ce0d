/** How the test files are divided: what `npm run quick` runs, and what it leaves to `npm test`. */

export const ALL = ['test/**/*.test.ts']

/** They put another module in a module's place: each needs modules of its own. */
export const REPLACING = ['test/scenario/wrongFee.test.ts', 'test/chain/mirror/wrongFee.test.ts']

/**
 * What `npm run quick` leaves out: processes, threads, chains, browsers, whole sessions, random walks and recorded data. The longest are
 * first, and begin first, so that two workers end at the same time.
 */
export const SLOW = [
  'test/sweep/{league,leagueFailures,pool,poolFaults,sandbox,scoresInMemory,strategyReader,sweep,taskStore}.test.ts',
  'test/cli/**/*.test.ts',
  'test/fleet/{forgedAnswers,queue,queueFaults,s3Store,shards,stage,troubles}.test.ts',
  'test/actions/**/*.test.ts',
  'test/**/*gainstModel.test.ts',
  'test/scenario/**/*.test.ts',
  'test/proof/**/*.test.ts',
  'test/validation/**/*.test.ts',
  'test/chain/**/*.test.ts',
  'test/engine/**/*.test.ts',
  'test/vopr/**/*.test.ts',
  'test/report/**/*.test.ts',
  'test/redraw/{redrawRun,ruin}.test.ts',
  'test/diff/**/*.test.ts',
  'test/sql/**/*.test.ts',
  'test/examples/**/*.test.ts',
  'test/serve/{lockstep,session,parlay/exchanges,outcome/exchanges}/**/*.test.ts',
  'test/serve/http/{hostile,slowReaders,fuzz}.test.ts',
  'test/trade/**/*.test.ts',
  'test/crash/**/*.test.ts',
  'test/tools/**/*.test.ts',
  'test/feed/{importers,kalshiFormats}Recorded.test.ts',
  'test/feed/fuzz/*.test.ts',
  'test/feed/mapping/{mappingRecorded,mappingFuzz,pieces,plainQuotes}.test.ts',
  'test/feed/store/{append,appendMapped,depth,killed,lastTable,openStore,overlap}.test.ts',
  'test/feed/{flatColumn,polymarketFormat}.test.ts',
  'test/feed/history/storeSource.test.ts',
  'test/serve/live/watchedSession.test.ts',
  'test/serve/{parlay,outcome}/records/records.test.ts',
  'test/look/{depth,looked}.test.ts',
  'test/result/{readOnly,unsettled}.test.ts',
  'test/stats/calibration.test.ts',
  'test/score/{clientSeats,standingBook,openBook,jointOutcomes,scorecard,summary,summaryCashOut,summaryServices,summaryTotals,summaryWorld}.test.ts',
  'test/record/{outcomeRows,outcomeTotals,recorderRows,recorderTotals}.test.ts',
  'test/venue/makerEntries.test.ts',
  'test/venue/parlay/{cashOutWalk,gateSnapshot,invariants,snapshot}.test.ts',
  'test/venue/outcome/{duelCorners,gateSnapshot,money,snapshot}.test.ts',
  'test/venue/outcome/wire/signedSession.test.ts',
  'test/bench/{answers,makerFiles,scaling,shares}.test.ts',
  'test/docs/{api,links}.test.ts',
  'test/fleet/{roster,rounds}.test.ts',
  'test/feed/{importers,kalshiFormats,rows,vendorFormats}.test.ts',
  'test/feed/mapping/mapping.test.ts',
  'test/venue/outcome/{acceptKeys,gateFaults,gateFingerprint}.test.ts',
  'test/venue/parlay/portfolio.test.ts',
  'test/serve/servedIds.test.ts',
  'test/serve/http/transport.test.ts',
  'test/result/generation.test.ts',
  'test/draw/drawnWorld.test.ts',
  'test/math/copula.test.ts',
  'test/architecture/rowKinds.test.ts',
]
