import { pageDocument, type Section } from './html/document.ts'
import { facts, tableMarkup } from './html/figure.ts'
import { type Content, html, type Markup } from './html/markup.ts'

/** The parts of JSON Schema that descriptions of services use. */
interface Schema {
  readonly type?: string | readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly format?: string
  readonly pattern?: string
  readonly description?: string
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
}

type Media = Readonly<Record<string, { readonly schema: Schema }>>

interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly security: readonly Readonly<Record<string, unknown>>[]
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean; readonly schema: Schema }[]
  readonly requestBody?: { readonly required: boolean; readonly content: Media }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Media }>>
  readonly 'x-scopes'?: readonly string[]
  readonly 'x-limits'?: readonly string[]
}

interface Info { readonly title: string; readonly version: string; readonly description: string }

/** An OpenAPI 3.1 document, as far as a page shows it. */
export interface OpenApi {
  readonly info: Info
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  /** What clients sign, by EIP-712. */
  readonly 'x-signed'?: { readonly domain: object; readonly types: Readonly<Record<string, string>>; readonly example: object }
}

/** An AsyncAPI 3.0 document, as far as a page shows it. */
export interface AsyncApi {
  readonly channels: Readonly<Record<string, { readonly address: string; readonly description: string; readonly messages: Readonly<Record<string, { readonly payload: Schema }>> }>>
  readonly operations: Readonly<Record<string, { readonly action: string; readonly channel: { readonly $ref: string }; readonly messages: readonly { readonly $ref: string }[] }>>
}

/** The calls and frames of a service as one HTML page, as a function of its descriptions alone. */
export function referencePage(openApi: OpenApi, asyncApi: AsyncApi): string {
  const { info: { title, version, description } } = openApi
  const calls = Object.entries(openApi.paths).flatMap(([path, operations]) => Object.entries(operations).map(([method, operation]) => callSection(method.toUpperCase(), path, operation)))
  const channels = Object.entries(asyncApi.channels).map(([name, channel]) => channelSection(name, channel, asyncApi.operations))
  return pageDocument({
    kind: 'Reference', title, series: {},
    lead: html`<p class="lead">${description}</p>
${facts([['version', version], ['calls', calls.length], ['streams and sockets', channels.length]])}
<p>The same for programs: <a href="/openapi.json">openapi.json</a> (OpenAPI 3.1) and <a href="/asyncapi.json">asyncapi.json</a> (AsyncAPI 3.0).</p>`,
    sections: [
      { id: 'calls', title: 'Calls', body: null, parts: calls },
      { id: 'frames', title: 'Events and frames', body: null, parts: channels },
      ...signedSections(openApi['x-signed']),
    ],
    foot: html`<p>Made by parlor from the schemas that check the service's calls.</p>`,
  })
}

function callSection(method: string, path: string, operation: Operation): Section {
  const { operationId, summary, security, parameters, requestBody, responses } = operation
  const credentials = security.flatMap((scheme) => Object.keys(scheme))
  const bodies = Object.entries(requestBody?.content ?? {}).map(([, { schema }]) => fieldTable(`${operationId}: body`, schema))
  return {
    id: operationId, title: `${method} ${path}`,
    body: html`<p>${summary}.</p>
${facts([
      ['credential', credentials.length === 0 ? 'none' : credentials.join(' or ')], ['scope', operation['x-scopes']?.join(' or ') ?? 'none'], ['limit', operation['x-limits']?.join(', ') ?? 'none'],
    ])}
${parameters.length > 0 && html`<h4>Parameters</h4>
${tableMarkup({
      caption: `${operationId}: parameters`, head: ['name', 'in', 'type', 'needed', 'about'], text: [1, 2, 3, 4],
      rows: parameters.map(({ name, in: place, required, schema }) => [html`<code>${name}</code>`, place, typeOf(schema), required ? 'yes' : 'no', aboutOf(schema)]),
    })}`}
${bodies.length > 0 && html`<h4>Body${requestBody?.required === false && ' (may be left out)'}</h4>
${bodies}`}
<h4>Answers</h4>
${tableMarkup({
      caption: `${operationId}: answers`, head: ['status', 'what'], text: [1], rows: Object.entries(responses).map(([status, { description }]) => [status, description]),
    })}
${Object.entries(responses).filter(([status]) => status < '300').map(([status, { content = {} }]) => Object.values(content).map(({ schema }) =>
    hasFields(schema) && html`<details><summary>Body of ${status}</summary>
${fieldTable(`${operationId}: body of ${status}`, schema)}
</details>`))}`,
  }
}

function channelSection(name: string, { address, description, messages }: AsyncApi['channels'][string], operations: AsyncApi['operations']): Section {
  const heard = new Set(Object.values(operations).filter(({ action, channel }) => action === 'receive' && channel.$ref === `#/channels/${name}`)
    .flatMap(({ messages: refs }) => refs.map(({ $ref }) => $ref.split('/').at(-1)!)))
  return {
    id: `${name}-frames`, title: address,
    body: html`<p>${description}.</p>
${Object.entries(messages).map(([message, { payload }]) => html`<details><summary><code>${message}</code>, ${heard.has(message) ? 'which the client sends' : 'which the service sends'}</summary>
${fieldTable(`${name}: ${message}`, payload)}
</details>
`)}`,
  }
}

function signedSections(signed: OpenApi['x-signed']): Section[] {
  if (signed === undefined) return []
  const { domain, types, example } = signed
  const cells = (pairs: object): readonly (readonly Content[])[] =>
    Object.entries(pairs).map(([name, value]) => [name, html`<code>${typeof value === 'string' ? value : JSON.stringify(value)}</code>`])
  return [{
    id: 'signed', title: 'What is signed',
    body: html`<p>Signatures are of EIP-712 digests of these types. Whole numbers of the example are decimal strings.</p>
${tableMarkup({ caption: 'what is signed: types', head: ['type', 'text'], text: [1], rows: cells({ ...types, domain }) })}
<h4>Example</h4>
${tableMarkup({ caption: 'what is signed: example', head: ['part', 'value'], text: [1], rows: cells(example) })}`,
  }]
}

interface Field { readonly path: string; readonly isRequired: boolean; readonly schema: Schema }

/** Fields by their paths; those of a list's items stand behind `[]`. */
function fieldsOf(schema: Schema, path = '', isRequired = true): Field[] {
  const own: Field[] = path === '' ? [] : [{ path, isRequired, schema }]
  const inside = (schema.anyOf ?? schema.oneOf)?.find(({ properties, items }) => properties !== undefined || items !== undefined) ?? schema
  if (inside.items !== undefined) return [...own, ...fieldsOf(inside.items, `${path}[]`).slice(1)]
  const { properties = {}, required = [] } = inside
  return [...own, ...Object.entries(properties).flatMap(([name, field]) => fieldsOf(field, path === '' ? name : `${path}.${name}`, required.includes(name)))]
}

const hasFields = (schema: Schema): boolean => fieldsOf(schema).length > 0

const fieldTable = (caption: string, schema: Schema): Markup => tableMarkup({
  caption, head: ['field', 'type', 'needed', 'about'], text: [1, 2, 3],
  rows: fieldsOf(schema).map(({ path, isRequired, schema: field }) => [html`<code>${path}</code>`, typeOf(field), isRequired ? 'yes' : 'no', aboutOf(field)]),
})

function typeOf(schema: Schema): Content {
  const { type, format, items, const: only, enum: values } = schema
  if (only !== undefined) return html`<code>${JSON.stringify(only)}</code>`
  if (values !== undefined) return values.map((value, i) => html`${i > 0 && ' · '}<code>${JSON.stringify(value)}</code>`)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.map((choice, i) => [i > 0 && ' or ', typeOf(choice)])
  if (items !== undefined) return ['list of ', typeOf(items)]
  const names = typeof type === 'string' ? [type] : type ?? ['anything']
  return `${names.join(' or ')}${format === undefined ? '' : ` (${format})`}`
}

function aboutOf({ description, default: usual, minimum, maximum, minItems, maxItems, minLength, maxLength }: Schema): string {
  // Every integer of JSON is said to be safe; what every integer has says nothing.
  const bound = (value: number | undefined): string | null => (value === undefined || Math.abs(value) === Number.MAX_SAFE_INTEGER ? null : String(value))
  const span = (low: number | undefined, high: number | undefined, ...unit: readonly [one: string, many?: string] | readonly []): string | null => {
    const [from, to] = [bound(low), bound(high)]
    const of = (count: string): string => (unit[0] === undefined ? count : `${count} ${count === '1' ? unit[0] : unit[1] ?? `${unit[0]}s`}`)
    if (to !== null) return from === null ? `at most ${of(to)}` : `${from} to ${of(to)}`
    return from === null ? null : `at least ${of(from)}`
  }
  return [
    description, span(minimum, maximum), span(minItems, maxItems, 'entry', 'entries'), span(minLength, maxLength, 'character'),
    usual === undefined ? null : `${JSON.stringify(usual)} when left out`,
  ].filter((part) => part !== null && part !== undefined).join('; ')
}

