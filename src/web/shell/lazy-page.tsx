import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { texts } from '../texts.js'
import type { PageProps } from './page-props.js'

/** A page whose script is loaded when it is opened for the first time: most screens never show it. */
export function lazyPage(load: () => Promise<ComponentType<PageProps>>): ComponentType<PageProps> {
  let loaded: ComponentType<PageProps> | undefined
  return function LazyPage(props) {
    const version = useSignal(0)
    const problem = useSignal('')
    useEffect(() => {
      if (loaded) return
      load().then(
        (page) => {
          loaded = page
          version.value++
        },
        () => {
          problem.value = texts.unreachable
        },
      )
    }, [])
    version.value
    const Page = loaded
    if (Page) return <Page {...props} />
    if (problem.value === '') return <p class="empty">{texts.live.connecting}</p>
    return (
      <div class="empty">
        <p class="problem">{texts.failed(problem.value)}</p>
        <button type="button" onClick={() => location.reload()}>
          {texts.tryAgain}
        </button>
      </div>
    )
  }
}
