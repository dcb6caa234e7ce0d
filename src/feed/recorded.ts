/** A recorded history that scenarios of the repository import, and that does not come with it. */
export interface RecordedData {
  /** The format of its import. */
  readonly format: string
  /** Its folder in `RECORDED_FOLDER`, where that is not the format's name. */
  readonly folder?: string
  /** Scenarios that import it, as files of the repository. */
  readonly scenarios: readonly string[]
  /** Repository and commit from which it was taken. */
  readonly source: string
  /** Its files there. */
  readonly files: string
  /** What its source says of its terms. */
  readonly terms: string
}

/** Where scenarios look for recorded data, from the root of a checkout. */
export const RECORDED_FOLDER = '../shared/data'

const NONE_STATED = 'none stated: not to be passed on'

export const RECORDED: readonly RecordedData[] = [
  {
    format: 'kalshi-btc15m-book', scenarios: ['outcome.yaml'],
    source: 'github.com/organics-jpg/kalshi-probability-model-bot-gpt55-export @ fcffbdbb', files: 'research_data/*/raw_events, made one table of deltas', terms: NONE_STATED,
  },
  {
    format: 'kalshi', folder: 'api-formats/kalshi', scenarios: [],
    source: 'github.com/The-Obstacle-Is-The-Way/kalshi-starter-code-python @ f7284ed4', files: 'tests/fixtures/golden/*_response.json', terms: 'Apache-2.0',
  },
  {
    format: 'kalshi-frames', folder: 'kalshi-btc15m-book', scenarios: [],
    source: 'github.com/organics-jpg/kalshi-probability-model-bot-gpt55-export @ fcffbdbb', files: 'research_data/rv600_next_evidence_shadow_20260514T043808Z/raw_events', terms: NONE_STATED,
  },
  { format: 'kalshi-mlb-close', scenarios: [], source: 'github.com/alex-ckr/sports_prediction_mlb @ dfeb2417', files: 'data/kalshi_history.csv', terms: NONE_STATED },
  {
    format: 'kalshi-sports', scenarios: [],
    source: 'github.com/rgillon10-pixel/kalshi-headless @ 2de3a701', files: 'tape/{sports_pairs,sports_history,settlement_ledger,q26_settlement_cache}', terms: NONE_STATED,
  },
  {
    format: 'kalshi-ticker-frames', folder: 'kalshi-btc15m-book', scenarios: [],
    source: 'github.com/organics-jpg/kalshi-probability-model-bot-gpt55-export @ fcffbdbb', files: 'research_data/rv600_next_evidence_shadow_20260514T043808Z/raw_events', terms: NONE_STATED,
  },
  {
    format: 'kalshi-weather-candles', scenarios: ['league.yaml', 'nyc-weather.yaml'],
    source: 'github.com/ttkim0/ariadnefund @ fe04b86f', files: 'data/kalshi_*_nyc.parquet', terms: NONE_STATED,
  },
  {
    format: 'kalshi-weather-quotes', scenarios: ['weather-quotes.yaml'],
    source: 'github.com/Jetpackjules/Kalshi-Trader @ db67c7bd', files: 'server_mirror/market_logs/market_data_KXHIGHNY-*.csv', terms: NONE_STATED,
  },
  {
    format: 'polymarket-mlb-book', scenarios: ['mlb-night.yaml'],
    source: 'github.com/MinesJA/SignalDrift @ 4d03ffcc', files: 'data/*_polymarket-market-events.csv, and a table of results made by hand', terms: NONE_STATED,
  },
  { format: 'polymarket-price-history', scenarios: ['world-events.yaml'], source: 'github.com/EduardoNeville/polymarket-trader @ d5147ac2', files: 'data/resolved_markets.parquet', terms: 'MIT' },
]
