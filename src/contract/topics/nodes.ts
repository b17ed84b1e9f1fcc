import { type Static, Type } from 'typebox'
import { endpoint } from '../endpoint.js'
import { ById, Flag, NullableText, named, onePage, Page, Text, Time } from '../schema.js'

/** A daemon of the site. */
export const Node = named('Node', {
  id: Text('Another one each time the daemon starts.'),
  name: Text('Name of the daemon: its host name, or that of `daemon run --node-name`.'),
  url: NullableText('Where the other daemons reach it; null until it serves.'),
  version: Text('Version of the program, and after a `+` its build: two builds of one version differ.'),
  started_at: Time('When the daemon started.'),
  equipment: Type.Integer({ minimum: 0, description: 'Number of equipment that it drives.' }),
  has_site_duties: Flag('It has the duties of the whole site: logins, retention and the audit.'),
  lag: Type.Integer({
    minimum: 0,
    description: 'Number of journal entries that it has not read yet: so far its responses are behind.',
  }),
  self: Flag('It is the daemon that handles this call.'),
  alive: Flag('It has renewed its lease in time. Equipment of a daemon that has not is taken over.'),
  draining: Flag('It gives its equipment and the duties of the site to other daemons, and takes none.'),
})
export type Node = Static<typeof Node>

const GATEWAY_1: Node = {
  id: 'gateway-1-3f9a02c7',
  name: 'gateway-1',
  url: 'https://gateway-1.fab.example:7327',
  version: '1.4.0+3f9a02c7',
  started_at: '2026-01-31T08:00:00.000Z',
  equipment: 104,
  has_site_duties: true,
  lag: 0,
  self: true,
  alive: true,
  draining: false,
}

export const nodeEndpoints = {
  listNodes: endpoint('GET /nodes', {
    tag: 'nodes',
    summary: 'List the daemons of the site',
    description:
      'Lists the daemons that work on one database, ordered by name. A daemon with a data folder of its own is the only one in the list. Each daemon accepts every call. It forwards a call that needs the connection to equipment to the daemon that drives this equipment (`node` in the equipment record). Refused to users and keys that are restricted to some equipment.',
    access: 'viewer',
    reply: Page(Node),
    errors: ['forbidden'],
    examples: { reply: onePage([GATEWAY_1]) },
  }),
  drainNode: endpoint('POST /nodes/{id}/drain', {
    tag: 'nodes',
    summary: 'Drain a daemon before maintenance',
    description:
      'The daemon, by its id or its name, gives its equipment to the other daemons, up to four at a time, and the duties of the site; it takes nothing any more. It continues to respond to calls and to pass them on. The response comes at once: `GET /nodes` shows `equipment` fall to 0. It lasts until it is undone by DELETE, or until the daemon starts again. Refused with 409 `node_needed` where no other daemon is there that would take the equipment, so always on a data folder.',
    access: 'admin',
    params: ById,
    reply: Node,
    errors: ['node_not_found', 'node_needed'],
    examples: { reply: { ...GATEWAY_1, draining: true } },
  }),
  undrainNode: endpoint('DELETE /nodes/{id}/drain', {
    tag: 'nodes',
    summary: 'End the draining of a daemon',
    description:
      'The daemon takes its share of the equipment again. A daemon that does not drain stays as it is.',
    access: 'admin',
    params: ById,
    reply: Node,
    errors: ['node_not_found'],
    examples: { reply: GATEWAY_1 },
  }),
} as const
