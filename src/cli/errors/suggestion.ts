import { editDistance } from '../../kit/text/edit-distance.js'
import { readInstalled } from '../installation.js'

/** Nouns that are short for another: the long one is proposed. */
const SHORT_NOUN = /^(eq|sv|ec|ce|pp) /
/** A message, such as `S1F1`. */
const MESSAGE = /^S\d{1,3}F\d{1,3}$/i

/** A word is taken for another that differs from it in so much of its length. */
const FARTHEST = 0.34

/** Verbs that mean the same in other programs. Of one line, the first that a topic has is proposed. */
const SAME_VERBS: readonly (readonly string[])[] = [
  ['list', 'ls', 'dir', 'all'],
  ['remove', 'delete', 'revoke', 'end', 'rm', 'del', 'unregister'],
  ['show', 'read', 'fetch', 'get', 'describe', 'info', 'cat', 'inspect', 'view', 'status', 'state', 'list'],
  ['add', 'create', 'store', 'run', 'new', 'register', 'put', 'insert', 'define'],
  ['update', 'set', 'edit', 'change', 'modify', 'rename'],
  ['start', 'run', 'up', 'launch'],
  ['stop', 'end', 'disconnect', 'down', 'kill'],
  ['tail', 'follow', 'watch'],
  ['ack', 'acknowledge', 'confirm'],
  ['apply', 'set', 'define', 'link'],
  // SEMI E30: an upload goes from the equipment to the host, a download to the equipment.
  ['fetch', 'upload'],
  ['store', 'download'],
]

const KNOWN_VERBS: ReadonlySet<string> = new Set(SAME_VERBS.flat())

/** Words of other programs, and the noun or command that they are here. */
const SAME_NOUNS: Readonly<Record<string, string>> = {
  tool: 'equipment',
  tools: 'equipment',
  device: 'equipment',
  rcmd: 'command',
  'remote-command': 'command',
  apikey: 'keys',
  'api-key': 'keys',
  token: 'keys',
  log: 'daemon logs',
  logs: 'daemon logs',
  ping: 'equipment check',
  webhook: 'sinks',
  webhooks: 'sinks',
}

/** Commands whose words are not those of any command here, though they are near to one that does something else. */
const OTHER_COMMANDS: Readonly<Record<string, string>> = {
  // A host has no message for it: the equipment's operator or a remote command of its own decides.
  'equipment remote': 'command',
  'equipment local': 'command',
  'events export': 'journal export',
}

/** Verbs that are about the gateway where nothing follows them. */
const ALONE: Readonly<Record<string, string>> = {
  start: 'daemon start',
  stop: 'daemon stop',
  shutdown: 'daemon stop',
  restart: 'daemon restart',
}

/** Verbs without a noun, before what they are about; several nouns have them. */
const LONE_VERBS: Readonly<Record<string, string>> = {
  add: 'equipment add',
  status: 'equipment show',
  show: 'equipment show',
  read: 'variables show',
  get: 'variables show',
  list: 'equipment list',
  tail: 'events tail',
  follow: 'events tail',
}

/** Flags of other programs, and what they are called here. */
const SAME_FLAGS: Readonly<Record<string, string>> = {
  label: 'selector',
  labels: 'selector',
  format: 'output',
  port: 'address',
  host: 'address',
  ip: 'address',
  open: 'active',
  follow: 'watch',
  bytes: 'hex',
  'read-only': 'role',
}

/** A command, and how many of the words that were typed it stands for. */
export interface Meant {
  readonly command: string
  readonly words: number
}

/** The least that makes a beginning of a word: `stat` is `status`, although `start` differs in one letter only. */
const BEGINNING = 3
const BEGUN = 0.05

/** Verbs after which something is gone: proposed where a word begins as they do, or has their letters, and not where it is only near. */
const DESTRUCTIVE = [
  'restart',
  'remove',
  'delete',
  'clear',
  'reset',
  'set',
  'stop',
  'revoke',
  'purge',
  'drop',
  'drain',
  'migrate',
]

const lettersOf = (word: string): string => [...word].sort().join('')

function offOf(typed: string, word: string): number {
  if (DESTRUCTIVE.includes(word) && !word.startsWith(typed) && lettersOf(typed) !== lettersOf(word)) return 1
  const off = editDistance(typed, word) / word.length
  return off > BEGUN && typed.length >= BEGINNING && word.startsWith(typed) ? BEGUN : off
}

/** The command that was most likely meant by `typed`, words with or without arguments. */
export function meant(typed: readonly string[], commands: readonly string[]): Meant | undefined {
  const [first = '', ...others] = typed
  const two = typed.slice(0, 2).join(' ')
  const other = commands.includes(two) ? two : (OTHER_COMMANDS[two] ?? ALONE[two])
  if (other !== undefined && commands.includes(other)) return { command: other, words: 2 }
  const same = SAME_NOUNS[first]
  if (same !== undefined)
    return commands.includes(same) ? { command: same, words: 1 } : meant([same, ...others], commands)
  // What a word means goes before how it is written: `constants get` is not `constants set`.
  const found = synonym(typed, commands) ?? (KNOWN_VERBS.has(first) ? undefined : closest(typed, commands))
  if (found !== undefined) return { command: found, words: found.split(' ').length }
  const lone = LONE_VERBS[first]
  if (lone !== undefined && others.length > 0 && commands.includes(lone)) return { command: lone, words: 1 }
  // A noun alone, or with its arguments: its commands are listed.
  const noun = nearest(first, nounsOf(commands))
  if (noun !== undefined) return { command: noun, words: 1 + others.length }
  // A verb before what it is about, such as `connect etcher`, where only one noun has it.
  if (ALONE[first] !== undefined) return undefined
  const verbs = DESTRUCTIVE.includes(first)
    ? []
    : commands.filter((command) => command.endsWith(` ${first}`) && !SHORT_NOUN.test(command))
  return verbs.length === 1 && verbs[0] !== undefined ? { command: verbs[0], words: 1 } : undefined
}

/** The words of the command that sends a message to equipment, where `typed` is these two alone, in either order. */
export function sending(typed: readonly string[]): readonly string[] | undefined {
  const [first = '', second = 'EQUIPMENT', ...others] = typed
  if (MESSAGE.test(first)) return ['send', second, first.toUpperCase(), ...others]
  return MESSAGE.test(second) ? ['send', first, second.toUpperCase(), ...others] : undefined
}

/** The command that differs least; undefined where none is close. */
function closest(typed: readonly string[], commands: readonly string[]): string | undefined {
  let best: { readonly command: string; readonly off: number } | undefined
  for (const command of commands) {
    // Each word by itself: a noun that is right does not make up for a verb that is none.
    const off = Math.max(...command.split(' ').map((word, at) => offOf(typed[at] ?? '', word)))
    if (off <= FARTHEST && off < (best?.off ?? 1)) best = { command, off }
  }
  return best?.command
}

const nounsOf = (commands: readonly string[]): readonly string[] => [
  ...new Set(commands.flatMap((command) => command.split(' ').slice(0, -1))),
]

/** The word that differs least; undefined where none is close. */
function nearest(typed: string, words: readonly string[]): string | undefined {
  const [near] = words
    .map((word) => ({ word, off: offOf(typed, word) }))
    .filter(({ off }) => off <= FARTHEST)
    .sort((one, other) => one.off - other.off)
  return near?.word
}

/** The command of the noun whose verb means the same as the one that was typed. */
function synonym([noun = '', verb = '']: readonly string[], commands: readonly string[]): string | undefined {
  const near = nearest(noun, nounsOf(commands))
  if (near === undefined) return undefined
  return SAME_VERBS.filter((verbs) => verbs.includes(verb))
    .flat()
    .map((one) => `${near} ${one}`)
    .find((command) => commands.includes(command))
}

/** The flag, such as `--label`, that was most likely meant by `typed`. */
export function meantFlag(typed: string, flags: readonly string[]): string | undefined {
  const name = typed.replace(/^--?(no-)?/, '').replace(/=.*/, '')
  if (/^-\w$/.test(typed)) {
    const begun = flags.filter((flag) => flag.startsWith(name.toLowerCase()))
    return begun.length === 1 ? `--${begun[0]}` : undefined
  }
  const same = SAME_FLAGS[nearest(name, Object.keys(SAME_FLAGS)) ?? '']
  const known = same !== undefined && flags.includes(same) ? [same, ...flags] : flags
  const [best] = known
    .map((flag) => ({ flag, off: flag === same ? FARTHEST : offOf(name, flag) }))
    .filter(({ off }) => off <= FARTHEST)
    .sort((one, other) => one.off - other.off)
  return best && `--${best.flag}`
}

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly aliases?: readonly string[] }>>
}

/** All commands as they are typed; none where the installation has no manifest. */
export async function commandNames(root: string): Promise<string[]> {
  try {
    const manifest = await readInstalled(root, 'oclif.manifest.json')
    return Object.entries((manifest as Manifest).commands)
      .flatMap(([id, { aliases = [] }]) => [id, ...aliases])
      .map((id) => id.replaceAll(':', ' '))
  } catch {
    return []
  }
}
