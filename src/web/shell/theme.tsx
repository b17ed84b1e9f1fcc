import { signal } from '@preact/signals'
import { texts } from '../texts.js'

type Theme = 'light' | 'dark'

/** The look of this browser; nothing about its user. Without it the page follows the system. */
const STORED = 'secsctl-theme'
const isTheme = (text: string | null): text is Theme => text === 'light' || text === 'dark'

/** Undefined: as the system has it. */
export const theme = signal<Theme | undefined>(undefined)

const system = (): Theme => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')

/** What the system has now. Some go dark in the evening, while the page is open. */
export const systemTheme = signal<Theme>('light')

/** Takes the theme of the address (`?theme=dark`, for wall screens), or the one that was chosen before. */
export function startTheme(): void {
  const given = new URLSearchParams(location.search).get('theme')
  const chosen = isTheme(given) ? given : localStorage.getItem(STORED)
  if (isTheme(chosen)) show(chosen)
  systemTheme.value = system()
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => {
    systemTheme.value = system()
  })
  // Paper is light; a chart has the colours in which it was drawn.
  addEventListener('beforeprint', () => {
    document.documentElement.dataset['printed'] = present()
  })
}

const present = (): Theme => theme.peek() ?? systemTheme.peek()

function show(chosen: Theme): void {
  theme.value = chosen
  document.documentElement.dataset['theme'] = chosen
}

export function ThemeButton() {
  const toggle = (): void => {
    const next = present() === 'dark' ? 'light' : 'dark'
    localStorage.setItem(STORED, next)
    show(next)
  }
  return (
    <button
      type="button"
      class="icon-button"
      onClick={toggle}
      aria-label={texts.session.theme}
      title={texts.session.theme}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true">
        <circle cx="8" cy="8" r="6.25" fill="none" stroke="currentColor" stroke-width="1.5" />
        <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" fill="currentColor" />
      </svg>
    </button>
  )
}
