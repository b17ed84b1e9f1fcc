import { SEVERITIES } from '../../contract/alarm-severity.js'
import type { Candidate } from './candidate.js'
import { COLUMN_TITLES, titlesAfter } from './column-titles.js'
import type { CommandEntry, CommandTree, FlagEntry } from './manifest.js'
import { labelsToGive, selectors, sortsBy, split } from './typed-line.js'

/** What may stand at the cursor. `open`: the word is not complete, so no space follows. `files`: the shell knows. */
export interface Candidates {
  readonly kind: 'values' | 'open' | 'files'
  readonly values: readonly Candidate[]
}

/** The server that the line names, if any. */
export interface ServerChoice {
  readonly url?: string | undefined
  readonly profile?: string | undefined
}

/** Lists of an equipment whose rows have names. */
export type NamedList = 'variables' | 'constants' | 'collection-events' | 'recipes'

/** Names that no manifest has. Each may take a moment, and gives nothing where there is nothing. */
export interface Names {
  equipment(server: ServerChoice): Promise<readonly Candidate[]>
  /** Names that the gateway knows of `equipment`, or of all where it is empty; no message is sent. */
  listed(list: NamedList, equipment: string, server: ServerChoice): Promise<readonly Candidate[]>
  /** The labels that equipment has, as `area=etch`. */
  labels(server: ServerChoice): Promise<readonly Candidate[]>
  /** Ids of the alarms that nobody has acknowledged. */
  openAlarms(server: ServerChoice): Promise<readonly Candidate[]>
  /** ALIDs that `equipment`, or any where it is empty, has reported; no message is sent. */
  alids(equipment: string, server: ServerChoice): Promise<readonly Candidate[]>
  alarmCategories(): Promise<readonly Candidate[]>
  /** The names of API keys; only administrators get them. */
  keys(server: ServerChoice): Promise<readonly Candidate[]>
  sinks(server: ServerChoice): Promise<readonly Candidate[]>
  profiles(): Promise<readonly Candidate[]>
  /** All known messages, or only primaries that a host or an equipment may send. */
  messages(of: 'host' | 'equipment' | 'all'): Promise<readonly Candidate[]>
  dataItems(): Promise<readonly Candidate[]>
  /** The names of the items of a message, each with `=` after it. */
  itemsOf(message: string): Promise<readonly Candidate[]>
  explained(): Promise<readonly Candidate[]>
  timers(): readonly Candidate[]
}

/** By the topic of a command and the name of its argument. */
const NAMED_LISTS: Readonly<Record<string, NamedList>> = {
  'variables variable': 'variables',
  'traces variable': 'variables',
  'constants constant': 'constants',
  'limits variable': 'variables',
  'reports event': 'collection-events',
  'recipes ppid': 'recipes',
}

const NOTHING: Candidates = { kind: 'values', values: [] }
const FILES: Candidates = { kind: 'files', values: [] }
const values = (found: readonly Candidate[]): Candidates => ({ kind: 'values', values: found })
const open = (found: readonly Candidate[]): Candidates => ({ kind: 'open', values: found })

/** What may stand at the cursor, after `words`; `current` is the typed part of the word there. */
export async function candidatesFor(
  tree: CommandTree,
  words: readonly string[],
  current: string,
  names: Names,
): Promise<Candidates> {
  const line = words[0] === 'help' ? words.slice(1) : words
  const found = commandIn(tree, line)
  if (!found) return values(nextWords(tree, line, current))
  if (words[0] === 'help') return NOTHING
  return new TypedCommand(found.id, found.command, line.slice(found.length), names).candidates(current)
}

const wordsOf = (id: string): readonly string[] => id.split(':')

const beginsWith = (id: string, words: readonly string[]): boolean =>
  words.every((word, at) => wordsOf(id)[at] === word)

interface Located {
  readonly id: string
  readonly command: CommandEntry
  /** So many words name it. */
  readonly length: number
}

/** The command that a line names, by its id or any alias, the longest first. */
function commandIn(tree: CommandTree, line: readonly string[]): Located | undefined {
  for (let length = Math.min(line.length, 3); length > 0; length--) {
    const typed = line.slice(0, length).join(':')
    for (const [id, command] of Object.entries(tree.commands)) {
      const names = [id, ...(command.aliases ?? []), ...(command.hiddenAliases ?? [])]
      if (names.includes(typed)) return { id, command, length }
    }
  }
  return undefined
}

/** The next words of commands. An alias is offered only after its own noun. */
function nextWords(tree: CommandTree, line: readonly string[], current: string): readonly Candidate[] {
  if (current.startsWith('-'))
    return [{ value: '--help' }, ...(line.length === 0 ? [{ value: '--version' }] : [])]
  const found = new Map<string, Candidate>()
  for (const [id, { hidden, summary, aliases = [], hiddenAliases = [] }] of Object.entries(tree.commands)) {
    if (hidden) continue
    const ids = line.length === 0 ? [id] : [id, ...aliases, ...hiddenAliases]
    for (const name of ids.filter((one) => beginsWith(one, line))) {
      const value = wordsOf(name)[line.length]
      if (value === undefined || found.has(value)) continue
      const typed = [...line, value].join(':')
      found.set(value, { value, description: typed === name ? summary : tree.topics[typed]?.description })
    }
  }
  return [...found.values()]
}

/** A command and the words after it. */
class TypedCommand {
  readonly #given = new Set<string>()
  readonly #positions: string[] = []
  readonly #values = new Map<string, string>()
  /** The flag whose value comes next. */
  #awaiting: string | undefined
  #flagsOver = false

  constructor(
    readonly id: string,
    readonly command: CommandEntry,
    words: readonly string[],
    readonly names: Names,
  ) {
    for (const word of words) this.#take(word)
  }

  #take(word: string): void {
    if (this.#awaiting !== undefined) {
      this.#give(this.#awaiting, word)
      this.#awaiting = undefined
    } else if (this.#flagsOver || !word.startsWith('-') || word === '-') {
      this.#positions.push(word)
    } else if (word === '--') {
      this.#flagsOver = true
    } else {
      const [typed = '', value] = split(word)
      const name = this.#flagNamed(typed)
      if (name === undefined) return
      this.#given.add(name)
      if (value !== undefined) this.#give(name, value)
      else if (this.#flags[name]?.type === 'option') this.#awaiting = name
    }
  }

  /** `--equipment` stands for the argument of that name. */
  #give(name: string, value: string): void {
    this.#values.set(name, value)
    if (name === 'equipment' && this.command.args?.['equipment']) this.#positions.unshift(value)
  }

  /** The equipment that the line names, if any. */
  get #equipment(): string {
    return this.#values.get('equipment') ?? (this.command.args?.['equipment'] && this.#positions[0]) ?? ''
  }

  get #flags(): Readonly<Record<string, FlagEntry>> {
    return this.command.flags ?? {}
  }

  #flagNamed(typed: string): string | undefined {
    if (typed.startsWith('--')) return Object.hasOwn(this.#flags, typed.slice(2)) ? typed.slice(2) : undefined
    return Object.entries(this.#flags).find(([, { char }]) => char === typed.slice(1))?.[0]
  }

  async candidates(current: string): Promise<Candidates> {
    if (this.#awaiting !== undefined) return this.#ofFlag(this.#awaiting, current)
    if (!this.#flagsOver && current.startsWith('-')) {
      const [typed = '', value] = split(current)
      const name = this.#flagNamed(typed)
      if (value === undefined || name === undefined) return values(this.#flagNames())
      const found = await this.#ofFlag(name, value)
      return { ...found, values: found.values.map((one) => ({ ...one, value: `${typed}=${one.value}` })) }
    }
    return this.#ofPosition()
  }

  #flagNames(): readonly Candidate[] {
    const left = Object.entries(this.#flags).filter(
      ([name, { hidden, multiple }]) => !hidden && (multiple || !this.#given.has(name)),
    )
    const described = left.map(([name, { summary }]) => ({ value: `--${name}`, description: summary }))
    return [...described, { value: '--help', description: 'Show what the command does.' }]
  }

  async #ofFlag(name: string, current: string): Promise<Candidates> {
    const { options, helpValue } = this.#flags[name] ?? {}
    if (options) return values(options.map((value) => ({ value })))
    if (name === 'columns') return open(titlesAfter(current, this.#titles).map((value) => ({ value })))
    if (name === 'sort' && COLUMN_TITLES[this.id]) return open(sortsBy(current, this.#titles))
    if (name === 'profile') return values(await this.names.profiles())
    if (name === 'collection-event')
      return values(await this.names.listed('collection-events', this.#equipment, this.#server))
    if (name === 'key' && helpValue === 'NAME') return values(await this.names.keys(this.#server))
    if (name === 'alid') return values(await this.names.alids(this.#equipment, this.#server))
    if (name === 'category') return values(await this.names.alarmCategories())
    if (name === 'severity') return values(SEVERITIES.map((value) => ({ value: value.replace('_', '-') })))
    if (name === 'timer') return open(this.names.timers())
    if (name === 'label') return values(labelsToGive(await this.names.labels(this.#server), this.id))
    if (helpValue === 'SELECTOR') return open(selectors(await this.names.labels(this.#server), current))
    if (helpValue === 'EQ') return values(await this.names.equipment(this.#server))
    if (helpValue === 'SxFy') return values(await this.names.messages('all'))
    return helpValue === 'FILE' || helpValue === 'FOLDER' ? FILES : NOTHING
  }

  /** Lists of several equipments have a column for it. */
  get #titles(): readonly string[] {
    const titles = COLUMN_TITLES[this.id] ?? []
    const isOfSeveral = this.#leavesOutEquipment || /[,*?]/.test(this.#positions[0] ?? '')
    return isOfSeveral && this.command.args?.['equipment'] ? ['equipment', ...titles] : titles
  }

  get #server(): ServerChoice {
    return { url: this.#values.get('url'), profile: this.#values.get('profile') }
  }

  async #ofPosition(): Promise<Candidates> {
    const args = Object.entries(this.command.args ?? {})
    if (this.#leavesOutEquipment) {
      if (args.length === 1) return NOTHING
      this.#positions.unshift('')
    }
    const at = this.#positions.length
    const repeats = this.command.strict === false && this.id !== 'send'
    const [name, arg] = args[repeats ? Math.min(at, args.length - 1) : at] ?? []
    if (arg?.options) return values(arg.options.map((value) => ({ value })))
    if (this.id === 'send' && at >= 2)
      return this.#ungiven(await this.names.itemsOf(this.#positions[1] ?? ''))
    const found = await this.#argument(name)
    return { ...found, values: found.values.filter(({ value }) => !this.#positions.includes(value)) }
  }

  /** Whether equipment is selected by a flag instead of the first argument; --all may also be of what one has. */
  get #leavesOutEquipment(): boolean {
    const [name, arg] = Object.entries(this.command.args ?? {})[0] ?? []
    if (name !== 'equipment' || arg?.required !== true) return false
    return this.#given.has('selector') || (this.#given.has('all') && !/:(en|dis)able$/.test(this.id))
  }

  /** Of words that end in `=`, those that the line does not have yet. */
  #ungiven(found: readonly Candidate[]): Candidates {
    return open(found.filter(({ value }) => !this.#positions.some((given) => given.startsWith(value))))
  }

  async #argument(name: string | undefined): Promise<Candidates> {
    const { names, id } = this
    if (name === 'equipment' && id === 'command' && this.#positions.length > 0) return NOTHING
    if (name === 'equipment') return values(await names.equipment(this.#server))
    const list = NAMED_LISTS[`${id.split(':')[0]} ${name}`]
    if (list) {
      const found = await names.listed(list, this.#positions[0] ?? '', this.#server)
      if (id !== 'constants:set') return values(found)
      return this.#ungiven(found.map((one) => ({ ...one, value: `${one.value}=` })))
    }
    if (name === 'alarm') return values(await names.alids(this.#positions[0] ?? '', this.#server))
    if (name === 'id' && id === 'alarms:ack') return values(await names.openAlarms(this.#server))
    if (name === 'key') return values(await names.keys(this.#server))
    if (name === 'sink') return values(await names.sinks(this.#server))
    if (name === 'file' || name === 'model') return FILES
    if (name === 'message') return values(await names.messages(id === 'spool:set' ? 'equipment' : 'host'))
    if (name === 'name' && id === 'catalogue:describe') {
      return values([...(await names.messages('all')), ...(await names.dataItems())])
    }
    if (name === 'name' && /^profiles:(use|show|remove|update)$/.test(id))
      return values(await names.profiles())
    return name === 'word' && id === 'explain' ? values(await names.explained()) : NOTHING
  }
}
