import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import type { Tool } from '../gateway/site.js'
import { useModal } from '../parts/use-modal.js'
import { texts } from '../texts.js'
import { PAGES } from './pages.js'
import { navigate } from './router.js'

const words = texts.shortcuts
const SHOWN = 12

/** Tools whose name and labels together contain every word of `text`. */
function toolsWith(text: string, tools: readonly Tool[]): readonly Tool[] {
  const parts = text.toLowerCase().split(/\s+/).filter(Boolean)
  return tools.filter(({ record }) => {
    const searched = [record.name, ...Object.entries(record.labels).map((label) => label.join('='))]
      .join(' ')
      .toLowerCase()
    return parts.every((part) => searched.includes(part))
  })
}

/** A place that the palette goes to. */
interface Goal {
  readonly href: string
  readonly name: string
  readonly detail: string
}

/** The pages whose title begins with `text`; none while nothing is typed. */
const pagesWith = (text: string): readonly Goal[] =>
  PAGES.filter(
    ({ isListed, title }) =>
      isListed && text.trim() !== '' && title.toLowerCase().startsWith(text.trim().toLowerCase()),
  ).map(({ path, title }) => ({ href: path, name: title, detail: words.page }))

const goalOf = ({ record }: Tool): Goal => ({
  href: `/equipment/${encodeURIComponent(record.name)}`,
  name: record.name,
  detail: Object.values(record.labels).join(', '),
})

/** The tools that are found, and the places that are shown of them and of pages. */
function goalsFor(text: string, tools: readonly Tool[]) {
  const found = toolsWith(text, tools)
  return { found, shown: [...pagesWith(text), ...found.slice(0, SHOWN).map(goalOf)] }
}

interface OptionProps {
  readonly goal: Goal
  readonly place: number
  readonly isChosen: boolean
  readonly go: (goal: Goal) => void
}

function Option({ goal, place, isChosen, go }: OptionProps) {
  return (
    <div
      id={`palette-${place}`}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={() => go(goal)}
      onKeyDown={() => undefined}
    >
      <b>
        <bdi>{goal.name}</bdi>
      </b>{' '}
      <span class="muted">{goal.detail}</span>
    </div>
  )
}

/** Jumps to equipment by what is typed of its name or labels, or to a page; the arrow keys choose. */
export function Palette({ live, close }: { readonly live: Live; readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  const typed = useSignal('')
  const chosen = useSignal(0)
  useModal(dialog)
  useEffect(
    () => document.getElementById(`palette-${chosen.value}`)?.scrollIntoView({ block: 'nearest' }),
    [chosen.value],
  )
  const { found, shown } = goalsFor(typed.value, live.site.tools.value)
  const at = Math.min(chosen.value, shown.length - 1)
  const go = (goal: Goal | undefined): void => {
    if (goal === undefined) return
    close()
    navigate(goal.href)
  }
  const press = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined || shown.length === 0) return
    event.preventDefault()
    chosen.value = (at + step + shown.length) % shown.length
  }
  return (
    <dialog ref={dialog} class="palette" aria-label={words.jump} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          go(shown[at])
        }}
      >
        <input
          type="text"
          role="combobox"
          aria-label={words.jump}
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={shown.length > 0 ? `palette-${at}` : undefined}
          placeholder={words.jump}
          autofocus
          autocomplete="off"
          spellcheck={false}
          value={typed.value}
          onKeyDown={press}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value
            chosen.value = 0
          }}
        />
        <div id="palette-list" role="listbox" aria-label={texts.pages.equipment}>
          {shown.map((goal, place) => (
            <Option key={goal.href} goal={goal} place={place} isChosen={place === at} go={go} />
          ))}
        </div>
        <p class="muted" role="status">
          {shown.length === 0 ? texts.wall.noMatch : texts.wall.tools(found.length)}
        </p>
      </form>
    </dialog>
  )
}
