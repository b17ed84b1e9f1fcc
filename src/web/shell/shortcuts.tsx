import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Live } from '../gateway/live.js'
import { useModal } from '../parts/use-modal.js'
import { texts } from '../texts.js'
import { Palette } from './palette.js'
import { navigate } from './router.js'

const words = texts.shortcuts

/** Keys of one letter, for those who do not type at the moment. */
const KEYS: Readonly<Record<string, () => void>> = {
  w: () => navigate('/'),
  a: () => navigate('/alarms'),
  e: () => navigate('/events'),
  s: () => navigate('/shift'),
  r: () => navigate('/alarm-rates'),
  '/': () => document.querySelector<HTMLElement>('main input[type="search"]')?.focus(),
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof Element &&
  target.closest(
    'input:not([type="checkbox"], [type="radio"]), textarea, select, dialog, [contenteditable]',
  ) !== null

/** What is shown over the page. */
const shown = signal<'list' | 'palette' | undefined>(undefined)

/** Shows the list of keys, for those who do not know its key. */
export function KeysButton() {
  return (
    <button
      type="button"
      class="icon-button keys-button"
      aria-label={words.heading}
      title={words.button}
      onClick={() => {
        shown.value = 'list'
      }}
    >
      ?
    </button>
  )
}

/** The keyboard: pages, the search, a tool by its name, and the list of all keys. */
export function Shortcuts({ live }: { readonly live: Live }) {
  // A browser says that a dialog was closed a moment after it was: another one can be open by then.
  const closes = (kind: 'list' | 'palette') => (): void => {
    if (shown.value === kind) shown.value = undefined
  }
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const isPalette = event.key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)
      const withOther = event.ctrlKey || event.metaKey || event.altKey
      if (!isPalette && (withOther || isTyping(event.target))) return
      // What is typed into a dialog is about the equipment of this page.
      if (document.querySelector('dialog[open]')) return
      const go = KEYS[event.key]
      if (!isPalette && !go && event.key !== '?') return
      event.preventDefault()
      if (go) go()
      else shown.value = isPalette ? 'palette' : 'list'
    }
    addEventListener('keydown', press)
    return () => {
      removeEventListener('keydown', press)
      shown.value = undefined
    }
  }, [])
  if (shown.value === 'palette') return <Palette live={live} close={closes('palette')} />
  return shown.value && <KeyList close={closes('list')} />
}

function KeyList({ close }: { readonly close: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null)
  useModal(dialog)
  return (
    <dialog ref={dialog} aria-labelledby="keys-heading" onClose={close}>
      <h2 id="keys-heading">{words.heading}</h2>
      <dl class="keys">
        {words.keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog" class="dialog-buttons">
        <button type="submit" autofocus>
          {texts.explain.close}
        </button>
      </form>
    </dialog>
  )
}
