import { useSignal } from '@preact/signals'
import type { FunctionComponent } from 'preact'
import { useEffect } from 'preact/hooks'
import { place, setQuery } from '../../shell/router.js'
import { texts } from '../../texts.js'
import type { LotRunsProps } from './lot-runs.js'

const words = texts.lotRuns
let loaded: FunctionComponent<LotRunsProps> | undefined

/** Runs of a variable over each other. Its script and its data are loaded when it is opened: `runs` in the address. */
export function LotRunsPanel(props: Omit<LotRunsProps, 'problem'>) {
  const isOpen = place.value.query.has('runs')
  const problem = useSignal('')
  const version = useSignal(0)
  useEffect(() => {
    if (!isOpen || loaded) return
    import('./lot-runs.js').then(
      ({ LotRuns }) => {
        loaded = LotRuns
        version.value++
      },
      (error: Error) => {
        problem.value = error.message
      },
    )
  }, [isOpen])
  version.value
  const Content = loaded
  return (
    <details
      class="panel lot-runs"
      open={isOpen}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open === place.peek().query.has('runs')) return
        setQuery(currentTarget.open ? { runs: 'any' } : { runs: '', lot: [] })
      }}
    >
      <summary>
        <h2>{words.heading}</h2>
      </summary>
      {problem.value && (
        <p class="problem" role="alert">
          {texts.failed(problem.value)}
        </p>
      )}
      {isOpen && Content && <Content {...props} problem={problem} />}
    </details>
  )
}
