/** The titles of the columns of each list, by its command: what `--columns` and `--sort` take. A test compares them. */
export const COLUMN_TITLES: Readonly<Record<string, readonly string[]>> = {
  'alarms:list': [
    'id',
    'equipment',
    'alid',
    'severity',
    'text',
    'category',
    'state',
    'set',
    'count',
    'acknowledged',
    'shelved',
  ],
  'alarms:shelved': ['equipment', 'alid', 'severity', 'text', 'until', 'by', 'reason', 'since'],
  'audit:list': ['id', 'at', 'user', 'address', 'action', 'equipment', 'result', 'what'],
  'carriers:list': ['carrier', 'location', 'id status', 'slot map status', 'accessing', 'slots'],
  'constants:list': ['id', 'name', 'unit', 'minimum', 'maximum', 'default'],
  'control-jobs:list': ['job', 'state', 'process jobs', 'carriers'],
  'daemon:nodes': ['name', 'state', 'equipment', 'lag', 'site', 'url', 'version', 'since', 'id'],
  'equipment:list': [
    'id',
    'name',
    'address',
    'mode',
    'connection',
    'communication',
    'control',
    'health',
    'labels',
    'lock',
    'reason',
    'node',
    'last message',
    'tap',
  ],
  'events:list': ['id', 'at', 'type', 'equipment', 'event', 'what'],
  'gem300:list': ['kind', 'object', 'state', 'value', 'source', 'since', 'object has', 'details'],
  'jobs:list': ['job', 'state'],
  'keys:list': ['name', 'id', 'role', 'selector', 'expires', 'last used'],
  'limits:list': ['id', 'name', 'unit', 'minimum', 'maximum', 'limits'],
  'messages:list': ['id', 'at', 'equipment', 'way', 'message', 'w', 'outcome', 'ms'],
  'objects:types': ['type', 'attributes'],
  'ports:list': ['port', 'transfer', 'access', 'reservation', 'association', 'name'],
  'profiles:list': ['name', 'url', 'email', 'token in'],
  'recipes:list': ['ppid'],
  'reports:list': ['id', 'name', 'enabled', 'reports', 'from', 'variables'],
  'sinks:list': ['name', 'id', 'kind', 'target', 'events', 'state', 'lag', 'delay', 'dead', 'error'],
  'substrates:history': ['at', 'location', 'state', 'value', 'before', 'source', 'message'],
  'substrates:list': ['substrate', 'lot', 'location', 'state', 'processing', 'source', 'destination'],
  'traces:list': ['trid', 'variables', 'period', 'samples', 'started'],
  'users:list': ['id', 'email', 'name', 'role', 'selector', 'account', 'groups', 'since'],
  'variables:history': ['at', 'id', 'name', 'value', 'unit', 'from', 'message'],
  'variables:list': ['id', 'name', 'unit'],
}

/** Titles after those that `current` has, of one list: `name,he` is followed by `name,health`. */
export function titlesAfter(current: string, titles: readonly string[]): readonly string[] {
  const start = current.slice(0, current.lastIndexOf(',') + 1)
  const given = start.split(',')
  return titles.filter((title) => !given.includes(title)).map((title) => start + title)
}
