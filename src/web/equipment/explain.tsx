import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Explanation } from '../../explanation/explanation.js'
import { texts } from '../texts.js'

const words = texts.explain

/** A button that says what a word of SECS/GEM or of this gateway means, and what to do. */
export function Explain({ word }: { readonly word: string }) {
  const found = useSignal<readonly Explanation[] | undefined>(undefined)
  const problem = useSignal('')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    if (found.value) dialog.current?.showModal()
  }, [found.value])
  const explain = async (): Promise<void> => {
    problem.value = ''
    try {
      const { explained } = await import('./explained.js')
      found.value = explained(word)
    } catch {
      problem.value = texts.failed(texts.unreachable)
      found.value = []
    }
  }
  return (
    <>
      <button
        type="button"
        class="explain"
        aria-label={words.button(word)}
        title={words.button(word)}
        onClick={() => void explain()}
      >
        ?
      </button>
      {found.value && (
        <dialog
          ref={dialog}
          aria-label={words.button(word)}
          onClose={() => {
            found.value = undefined
          }}
        >
          <h2>{word}</h2>
          {found.value.length === 0 && <p>{problem.value || words.unknown}</p>}
          {found.value.map(({ kind, meaning, next, commands }) => (
            <div key={kind} class="explanation">
              <small>{kind}</small>
              <p>{meaning}</p>
              {next && <p>{next}</p>}
              {commands.length > 0 && <pre>{commands.join('\n')}</pre>}
            </div>
          ))}
          <form method="dialog" class="dialog-buttons">
            <button type="submit" autofocus>
              {words.close}
            </button>
          </form>
        </dialog>
      )}
    </>
  )
}
