import type { z } from 'zod'
import { schemaOf, type ServiceAbout } from './openapi.ts'
import type { Route, RouteWords } from './routeTable.ts'

type Json = Readonly<Record<string, unknown>>
type Messages = Readonly<Record<string, z.ZodType>>

/** What a channel sends to its clients and hears from them, by the channel's route and by the message's name. */
export type Frames = Readonly<Record<string, { readonly sent: Messages; readonly heard: Messages }>>

const CONTENT = 'application/json'

/**
 * AsyncAPI 3.0 of a service's event streams and sockets, made of its table of routes and of the schemas of its frames. Names of events are
 * names of messages, and a message's payload is its data as JSON. A route without frames is left out.
 */
export function asyncApiOf<W extends RouteWords>(routes: readonly Route<W>[], frames: Frames, about: Pick<ServiceAbout<W>, 'title' | 'version' | 'about'>): Json {
  const channels: Record<string, Json> = {}
  const operations: Record<string, Json> = {}
  for (const { name, path, channel, about: description } of routes) {
    const said = frames[name]
    if (said === undefined) continue
    const { sent, heard } = said
    const messages = { ...messagesOf(sent, 'output'), ...messagesOf(heard, 'input') }
    channels[name] = { address: path, description, messages, ...(channel === 'socket' ? { bindings: { ws: { method: 'GET' } } } : { bindings: { http: {} } }) }
    operations[`${name}Sends`] = operation('send', name, sent)
    if (Object.keys(heard).length > 0) operations[`${name}Hears`] = operation('receive', name, heard)
  }
  return {
    asyncapi: '3.0.0', info: { title: about.title, version: about.version, description: about.about }, defaultContentType: CONTENT, channels, operations,
  }
}

const messagesOf = (messages: Messages, io: 'input' | 'output'): Json =>
  Object.fromEntries(Object.entries(messages).map(([name, schema]) => [name, { name, contentType: CONTENT, payload: schemaOf(schema, io) }]))

/** A part of a JSON pointer, whose slashes and tildes are written otherwise (RFC 6901). */
const pointed = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

const operation = (action: 'send' | 'receive', channel: string, messages: Messages): Json => ({
  action, channel: { $ref: `#/channels/${channel}` },
  messages: Object.keys(messages).map((name) => ({ $ref: `#/channels/${channel}/messages/${pointed(name)}` })),
})
