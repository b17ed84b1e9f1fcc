import { type Command, CommandHelp, Help, type Interfaces } from '@oclif/core'
import { environmentOf } from './environment.js'
import { DOCUMENTED_VARIABLES } from './environment-variables.js'
import { GROUPS } from './help-groups.js'
import { RARE } from './input/flags.js'
import { wrapped } from './output/terminal-text.js'

interface HelpOptions extends Interfaces.HelpOptions {
  /** Shows all flags, also of a command with many. */
  readonly everyFlag?: boolean
}

/** A command with more flags of its own than this shows at first those that people use. */
const MOST_FLAGS = 15

/** Spaces before the names of flags that are left out. */
const INDENT = 8

/** The flags that `--help` leaves out: none of a command with few. */
function rareFlags({ flags }: Command.Loadable): readonly string[] {
  const own = Object.values(flags).filter(({ hidden, helpGroup }) => !hidden && helpGroup !== 'GLOBAL')
  if (own.length <= MOST_FLAGS) return []
  return own.filter(({ helpGroup }) => helpGroup === RARE).map(({ name }) => name)
}

/** Shows all paragraphs of a description, where oclif shows the last one, and of many flags the usual ones. */
class CommandPage extends CommandHelp {
  /** Flags that are not shown. */
  readonly #left: readonly string[]

  constructor(command: Command.Loadable, config: Interfaces.Config, opts: HelpOptions) {
    const rare = opts.everyFlag ? [] : rareFlags(command)
    const flags = Object.entries(command.flags)
      .filter(([name]) => !rare.includes(name))
      .map(([name, flag]) => [
        name,
        {
          ...flag,
          helpGroup: flag.helpGroup === RARE ? undefined : flag.helpGroup,
          exclusive: flag.exclusive?.filter((other) => !rare.includes(other)),
        },
      ])
    // It begins with the name of the command, which may have been called by another one.
    const usage = String(command.usage ?? '').replace(/^[a-z- ]+(?= )/, command.id.replaceAll(':', ' '))
    const shown = { ...command, ...(usage !== '' && { usage }), flags: Object.fromEntries(flags) }
    super(shown, config, opts)
    this.#left = rare
  }

  override generate(): string {
    if (this.#left.length === 0) return super.generate()
    const call = `secsctl ${this.command.id.replaceAll(':', ' ')} --help-all`
    const names = this.#left.map((name) => `--${name}`).join(', ')
    const lines = wrapped(names, this.opts.maxWidth - INDENT).map((line) => ' '.repeat(INDENT) + line)
    return `${super.generate()}\n\nMORE FLAGS\n  ${call} explains ${this.#left.length} more:\n${lines.join('\n')}`
  }

  /** oclif breaks the line as if the template of its name were the name, which may be longer. */
  protected override usage(): string {
    const longer = Math.max(0, this.command.id.length - '<%= command.id %>'.length)
    const { maxWidth } = this.opts
    this.opts.maxWidth = maxWidth - longer
    const usage = super.usage()
    this.opts.maxWidth = maxWidth
    return usage
  }

  protected override description(): string | undefined {
    const { description } = this.command
    return description === undefined ? undefined : this.wrap(description)
  }

  /** Where a command takes more words than it names arguments, they belong to the last one, or are KEY=VALUE. */
  protected override args(args: Command.Arg.Any[]): [string, string | undefined][] | undefined {
    const isVariadic = this.command.strict === false && !String(this.command.usage).includes('KEY=VALUE')
    return super.args(args)?.map(([name, description], at) => {
      const takesMore = isVariadic && at === args.length - 1
      return [takesMore ? name : name.replace('...', ''), description]
    })
  }
}

/** How help is printed; named in package.json. */
export default class SecsctlHelp extends Help {
  protected override CommandHelpClass = CommandPage

  override async showHelp(argv: string[]): Promise<void> {
    this.opts = { ...this.opts, everyFlag: argv.includes('--help-all') } as HelpOptions
    const words = argv.filter((word) => !word.startsWith('-'))
    if (words.length === 1 && words[0] === 'environment') return this.log(environmentText())
    await super.showHelp(argv)
  }

  /** Topics and commands by what they are for. */
  protected override async showRootHelp(): Promise<void> {
    this.log(`${this.formatRoot()}\n`)
    const topics = this.sortedTopics.map(({ name, description }) => [name, description ?? ''] as const)
    const commands = this.sortedCommands.map((command) => [command.id, this.summary(command) ?? ''] as const)
    const texts = new Map([...topics, ...commands].filter(([name]) => !name.includes(':')))
    for (const { title, names } of GROUPS) {
      const rows = names.map((name): [string, string | undefined] => [name, texts.get(name)])
      const options = { indentation: 2, spacer: '\n', ...this.opts }
      this.log(`${this.section(title, this.renderList(rows, options))}\n`)
    }
    this.log('`secsctl COMMAND --help` explains each; `secsctl help environment` lists variables.')
  }

  /** A noun in the singular works as well, and has the commands of its plural; so does an earlier name. */
  protected override async showTopicHelp(topic: Interfaces.Topic): Promise<void> {
    const name = /^collection-events?$/.test(topic.name) ? 'reports' : `${topic.name}s`
    const meant = topic.hidden ? this.config.findTopic(name) : undefined
    await super.showTopicHelp(meant ?? topic)
  }

  /** oclif folds indented text only, not the first line of a help. */
  protected override log(...texts: string[]): void {
    const width = this.opts.maxWidth ?? 80
    const { stdout } = environmentOf(this.config)
    for (const line of texts.join(' ').split('\n')) stdout.write(`${folded(line, width).join('\n')}\n`)
  }
}

const folded = (line: string, width: number): string[] =>
  line.startsWith(' ') ? [line] : wrapped(line, width)

function environmentText(): string {
  const widest = Math.max(...DOCUMENTED_VARIABLES.map(([name]) => name.length))
  const rows = DOCUMENTED_VARIABLES.map(([name, what]) => {
    const [first = '', ...rest] = wrapped(what, 80 - widest - 4)
    const below = rest.map((line) => ' '.repeat(widest + 4) + line)
    return [`  ${name.padEnd(widest)}  ${first}`, ...below].join('\n')
  })
  return ['Environment variables. A flag wins over them, and they win over the profile.', '', ...rows].join(
    '\n',
  )
}
