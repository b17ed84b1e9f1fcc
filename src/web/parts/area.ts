import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'

/** The size of an element's content box in rem, kept up to date; undefined before it is shown. */
export function useArea<E extends HTMLElement>() {
  const element = useRef<E>(null)
  const area = useSignal<{ readonly width: number; readonly height: number } | undefined>(undefined)
  useLayoutEffect(() => {
    const watched = element.current
    if (!watched) return
    const rem = (): number => Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    const measure = (): void => {
      const { clientWidth, clientHeight } = watched
      const [width, height] = [clientWidth / rem(), clientHeight / rem()]
      const known = area.peek()
      if (known?.width !== width || known.height !== height) area.value = { width, height }
    }
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(watched)
    return () => observer.disconnect()
  }, [])
  return { element, area }
}
