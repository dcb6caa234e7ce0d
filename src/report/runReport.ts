import { writeWholeText } from '../arrow/wholeFile.ts'
import { RunTables, servicesOf } from '../score/runTables.ts'
import { type RunSummary, summariseRun } from '../score/summary.ts'
import { pageDocument, type Section } from './html/document.ts'
import type { DrawnSeries } from './html/longSeries.ts'
import { html } from './html/markup.ts'
import { attributionSections } from './pageAttribution.ts'
import { answerSection } from './pageAnswer.ts'
import { auctionsSection } from './pageAuctions.ts'
import { booksSection } from './pageBooks.ts'
import { equitySections } from './pageEquity.ts'
import { coverageBody, originOf, runLead } from './pageHead.ts'
import { latencySection } from './pageLatency.ts'
import { licenceSection } from './pageLicence.ts'
import { bettorsSection, moneySection, rejectionsSection } from './pageMoney.ts'
import { clusterProfitSection, legsSection, reliabilitySection } from './pageOutcomes.ts'
import { markOutSection, winCurveSection } from './pageQuotes.ts'
import { questionsSection } from './pageQuestions.ts'
import { scorecardSection } from './pageScorecard.ts'
import { type PageSection, type ServicePage, servicePage } from './pageService.ts'

export interface RunReportOptions {
  /** The summary of this run, where it has been made already. */
  readonly summary?: RunSummary
  /** Numbers of requests whose books are shown. Without any, those with the most quotes are shown. */
  readonly requests?: readonly number[]
}

/** Writes the page of a finished run, whole or not at all. Throws as `runReport` does. */
export async function writeRunReport(runDir: string, path: string, options: RunReportOptions = {}): Promise<void> {
  writeWholeText(path, await runReport(runDir, options))
}

/**
 * A finished run as one HTML page, a function of the files in its folder: the same run gives the same bytes. Throws InputError
 * when the folder is not one of a complete run.
 */
export async function runReport(runDir: string, { summary, requests = [] }: RunReportOptions = {}): Promise<string> {
  const whole = summary ?? await summariseRun(runDir)
  const services = servicesOf(runDir)
  const summaries = 'services' in whole ? services.map((service) => whole.services[service]!) : [whole]
  const pages = summaries.map((own) => servicePage(
    new RunTables(runDir, services.length === 1 ? null : own.service), own, services.length === 1 ? '' : `${own.service}-`,
  ))
  const parts = pages.map((page) => sectionsOf(page, requests))
  const sections = pages.length === 1 ? parts[0]! : pages.map((page, i) => serviceSection(page, parts[i]!))
  const origin = originOf(runDir)
  return pageDocument({
    kind: 'Run report', title: origin.name ?? `run ${whole.digest.slice(0, 12)}`, lead: runLead(summaries, origin, whole.digest), sections,
    series: Object.assign({}, ...parts.flat().map((section) => section.series ?? {})) as Record<string, DrawnSeries>,
    foot: html`<p>Intervals are 95%. ¢ are cents per dollar of payout; q the probability quoted, V the reference by the recorded prices, F the maker’s own fair value. Made by parlor from the tables of the run; the same run gives the same bytes.</p>`,
  })
}

const serviceSection = ({ summary, prefix }: ServicePage, parts: readonly Section[]): Section =>
  ({ id: `${prefix}service`, title: `The ${summary.service} service`, body: null, parts })

function sectionsOf(page: ServicePage, requests: readonly number[]): PageSection[] {
  const coverage = { id: `${page.prefix}coverage`, title: 'Coverage', body: coverageBody(page.summary) }
  const hasMakers = page.makers.length > 0
  const [equity = null, ...exposure] = hasMakers ? equitySections(page) : []
  const sections = [
    ...(hasMakers ? [
      answerSection(page), questionsSection(page), equity, ...attributionSections(page), scorecardSection(page), ...exposure, winCurveSection(page), markOutSection(page), booksSection(page, requests), auctionsSection(page),
      latencySection(page), clusterProfitSection(page), reliabilitySection(page),
    ] : []),
    coverage,
    ...(page.summary.licence === undefined ? [] : [licenceSection(page.summary.licence, page.prefix)]),
    legsSection(page), bettorsSection(page), moneySection(page), rejectionsSection(page),
  ]
  return sections.filter((section) => section !== null)
}

