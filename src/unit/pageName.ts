/** The name of a result's page in its folder. */
export const PAGE_NAME = 'report.html'
