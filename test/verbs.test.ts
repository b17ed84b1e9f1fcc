import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** What every topic calls the same. */
const COMMON = ['list', 'show', 'add', 'update', 'remove']
/** Words of SEMI, and of what a topic alone does. */
const OWN: Readonly<Record<string, readonly string[]>> = {
  // `list` shows what the gateway has recorded, `defined` what equipment can report.
  alarms: ['ack', 'defined', 'enable', 'disable', 'shelve', 'unshelve', 'shelved'],
  audit: ['export', 'tail'],
  catalogue: ['check', 'describe'],
  clock: ['set'],
  // The actions of S3F17, of which `proceed`, `bind` and `notify` are SEMI's own words.
  carriers: ['proceed', 'cancel', 'release', 'bind', 'cancel-bind', 'notify', 'cancel-notification'],
  constants: ['set'],
  'control-jobs': [
    ...['create', 'start', 'stop', 'pause', 'resume', 'abort', 'cancel', 'deselect', 'first', 'wait'],
  ],
  daemon: [
    ...['start', 'stop', 'restart', 'run', 'status', 'logs', 'install', 'check-config', 'bench-disk'],
    ...['drain', 'nodes', 'migrate', 'reset-admin'],
  ],
  equipment: [
    ...['connect', 'disconnect', 'online', 'offline', 'lock', 'unlock', 'wait', 'apply', 'export'],
    ...['check', 'tap-check', 'test', 'traffic'],
  ],
  events: ['tail', 'wait'],
  gem300: ['map', 'align'],
  journal: ['backup', 'export', 'verify'],
  // The commands of S16F5, and S16F17, which removes a job that is queued.
  jobs: ['create', 'start', 'stop', 'pause', 'resume', 'abort', 'cancel', 'dequeue', 'wait'],
  limits: ['set'],
  messages: ['ladder'],
  profiles: ['use'],
  objects: ['types', 'get', 'set', 'create', 'delete'],
  performance: ['history'],
  // The actions of S3F25, and S3F27.
  ports: ['in-service', 'out-of-service', 'reserve', 'cancel-reservation', 'access-mode'],
  // S7F5 requests, S7F3 sends and S7F17 deletes a process program; PP-SELECT selects it.
  recipes: ['fetch', 'store', 'select', 'delete'],
  // What equipment can report, what of it is switched on, and how that is changed. S6F15 previews an event.
  reports: ['enable', 'disable', 'apply', 'observe', 'request', 'preview'],
  conform: ['diff'],
  scenario: ['run', 'check', 'record', 'schema', 'host'],
  simulator: ['run', 'fleet', 'tell', 'models', 'record', 'replay', 'schema'],
  sinks: ['pause', 'resume', 'dead', 'retry', 'test', 'schema'],
  sml: ['encode', 'decode', 'format'],
  // S6F23 transmits or purges it.
  spool: ['set', 'transmit', 'purge'],
  substrates: ['history'],
  tap: ['run', 'status'],
  terminal: ['send'],
  traces: ['run', 'end'],
  users: ['passwd'],
  variables: ['history'],
  wire: ['tail', 'capture'],
}

interface Listed {
  readonly args: Readonly<Record<string, unknown>>
  readonly flags: Readonly<Record<string, { readonly char?: string; readonly helpValue?: string }>>
  readonly aliases?: readonly string[]
  readonly hiddenAliases?: readonly string[]
}
const { commands } = JSON.parse(readFileSync('oclif.manifest.json', 'utf8')) as {
  readonly commands: Readonly<Record<string, Listed>>
}
const verbs = Object.keys(commands)
  .filter((id) => id.includes(':'))
  .map((id) => id.split(':') as [string, string])

test.each(verbs)('%s %s is a verb of the table', (topic, verb) => {
  expect([...COMMON, ...(OWN[topic] ?? [])]).toContain(verb)
})

test('the table has no verb that no command has', () => {
  const known = verbs.map((each) => each.join(' '))
  const own = Object.entries(OWN).flatMap(([topic, names]) => names.map((name) => `${topic} ${name}`))
  expect(own.filter((name) => !known.includes(name))).toEqual([])
})

test('names from before the table still work, and no help lists them', () => {
  const hidden = Object.values(commands).flatMap(({ hiddenAliases = [] }) => hiddenAliases)
  expect(hidden).toEqual(
    expect.arrayContaining([
      'keys:create',
      'messages:describe',
      'daemon:doctor',
      'variables:read',
      'sv:read',
      ...['list', 'enable', 'disable', 'report'].map((verb) => `collection-events:${verb}`),
      'ce:report',
      'equipment:alarms',
      'eq:alarms',
    ]),
  )
  expect(hidden.filter((name) => name in commands)).toEqual([])
})

test('a command that names equipment takes it as a word and as --equipment, unless its words are something else', () => {
  const named = Object.entries(commands).flatMap(([id, { args, flags }]) => {
    const ways = [args['equipment'] !== undefined, flags['equipment']?.helpValue === 'EQ']
    return ways[0] === ways[1] ? [] : [id.replace(':', ' ')]
  })
  // Their words are ids of alarms, a folder, a file, the names of sinks.
  const others = ['alarms ack', 'journal export', 'simulator replay', 'sinks add', 'sinks update']
  expect(named).toEqual(others)
})

/** What each short flag means, in all commands. */
const SHORT: Readonly<Record<string, readonly string[]>> = {
  d: ['data'],
  F: ['follow'],
  f: ['file'],
  l: ['selector'],
  m: ['comment'],
  // How many.
  n: ['count', 'limit', 'lines', 'samples'],
  o: ['output'],
  q: ['quiet'],
  w: ['watch'],
  y: ['yes'],
}

test('a short flag means one thing', () => {
  const found: Record<string, string[]> = {}
  for (const { flags } of Object.values(commands))
    for (const [name, { char }] of Object.entries(flags))
      if (char !== undefined) found[char] = [...new Set([...(found[char] ?? []), name])].sort()
  expect(found).toEqual(SHORT)
})
