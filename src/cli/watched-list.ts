import { once } from 'node:events'
import { stripVTControlCharacters } from 'node:util'
import { cut } from '../kit/text/columns.js'
import type { Environment } from './environment.js'
import { repeatedly } from './input/repetition.js'
import { collecting } from './output/collected.js'
import { paint } from './output/highlight.js'
import { knowsUnicode } from './output/locale.js'
import type { Format } from './output/output.js'
import type { Key } from './top/keys.js'
import { line } from './top/line.js'
import { Screen } from './top/screen.js'

/** What a list printed once. */
interface Block {
  readonly text: string
  /** On standard error. */
  readonly notes: string
  readonly format: Format
}

/** Where the blocks go. */
interface Shown {
  readonly block: (block: Block) => Promise<void> | void
  /** Why there is no new block, and when the next attempt is. */
  readonly lost: (reason: string) => void
  readonly close: () => void
}

interface Watch {
  readonly environment: Environment
  /** Milliseconds from one reading to the next. */
  readonly interval: number
  /** The command as it is typed. */
  readonly title: string
  /** Runs the list once, and gives its format. */
  readonly list: (environment: Environment) => Promise<Format>
}

/**
 * Shows a list again and again until Ctrl-C: in place on a terminal, elsewhere each time that it differs. It goes on
 * after failures as `repeatedly` does.
 */
export async function watchList(watch: Watch): Promise<void> {
  const { environment, interval, list } = watch
  const { clock, interruption } = environment
  const over = new AbortController()
  const signal = AbortSignal.any([interruption.hold(), over.signal])
  const ended = new Promise<undefined>((resolve) =>
    signal.addEventListener('abort', () => resolve(undefined)),
  )
  let shown: Shown | undefined
  try {
    await repeatedly({ clock, interval, signal, lost: (reason) => shown?.lost(reason) }, async () => {
      const found = await Promise.race([blockOf(environment, list), ended])
      if (found === undefined) return
      shown ??= shownBy(watch, () => over.abort())
      await Promise.race([shown.block(found), ended])
    })
  } finally {
    shown?.close()
  }
}

async function blockOf(environment: Environment, list: Watch['list']): Promise<Block> {
  const part = collecting(environment)
  const format = await list(part.environment)
  return { text: part.collected.stdout, notes: part.collected.notes.join(''), format }
}

function shownBy(watch: Watch, end: () => void): Shown {
  const { stdin, stdout, variables } = watch.environment
  const hasScreen = stdin.isTTY && stdout.isTTY && variables['TERM'] !== 'dumb'
  return hasScreen ? onScreen(watch, end) : inTurn(watch)
}

/** Between two blocks; JSON is one array a line. */
const separator = (format: Format): string => (format === 'json' ? '' : format === 'yaml' ? '---\n' : '\n')

function inTurn({ environment: { stdout, stderr } }: Watch): Shown {
  let last: Block | undefined
  return {
    async block(block) {
      if (block.notes !== last?.notes) stderr.write(block.notes)
      const isNew = block.text !== last?.text
      const before = last === undefined ? '' : separator(block.format)
      last = block
      if (isNew && !stdout.write(before + block.text)) await once(stdout, 'drain')
    },
    lost: (reason) => void stderr.write(`${reason}\n`),
    close: () => {},
  }
}

/** Lines above the list. */
const HEAD = 2

function onScreen({ environment, interval, title }: Watch, end: () => void): Shown {
  const { stdin, stdout, clock, variables } = environment
  const ascii = !knowsUnicode(variables)
  let lines: readonly string[] = []
  let at = ''
  let reason = ''
  const draw = (): void => {
    const { columns, rows } = screen.size
    const view = { columns, rows, ascii }
    const left = `Every ${interval / 1000} s: ${title}`
    const width = Math.max(0, columns - at.length - 1)
    const room = rows - HEAD
    const more = lines.length > room ? lines.length - room + 1 : 0
    screen.draw([
      line([{ text: left, width, tint: paint.bold }, { text: at }], view),
      line([{ text: reason, tint: paint.red }], view),
      ...lines.slice(0, lines.length - more).map((text) => fitted(text, columns, ascii)),
      ...(more > 0 ? [line([{ text: `${more} more lines`, tint: paint.dim }], view)] : []),
    ])
  }
  const key = ({ name, ctrl, sequence }: Key): void => {
    if (ctrl && name === 'c') environment.exitCode = 130
    if ((ctrl && name === 'c') || sequence === 'q') end()
    if (ctrl && name === 'z') screen.suspend()
    if (ctrl && name === 'l') screen.forget()
    if (ctrl && name === 'l') draw()
  }
  const screen = new Screen(stdin, stdout, { key, resized: draw, gone: end })
  screen.open()
  return {
    block({ text, notes }) {
      lines = `${text}${notes}`.replace(/\n$/, '').split('\n')
      at = clock.date().toTimeString().slice(0, 8)
      reason = ''
      draw()
    },
    lost(why) {
      reason = why
      draw()
    },
    close: () => screen.close(),
  }
}

/** A line that is too long loses its colours with its end. */
function fitted(text: string, columns: number, ascii: boolean): string {
  const plain = stripVTControlCharacters(text)
  const kept = cut(plain, columns, ascii)
  return kept === plain ? text : kept
}
