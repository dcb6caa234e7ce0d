/** Where retired documentation paths of quote-service operations lead: to the operation on the reference page (PQ-461, the paths chosen). */
export const RETIRED_PAGES: Readonly<Record<string, string>> = {
  '/docs/quote-service/create-quote-request': '/reference#createQuoteRequest',
  '/docs/quote-service/update-quote-request': '/reference#updateQuoteRequest',
  '/docs/quote-service/commit-quote-request': '/reference#commitQuoteRequest',
  '/docs/quote-service/submit-quote': '/reference#submitQuote',
  '/docs/quote-service/withdraw-quote': '/reference#withdrawQuote',
  '/docs/quote-service/submit-cashout-quote': '/reference#submitBid',
}
