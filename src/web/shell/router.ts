import { signal } from '@preact/signals'

/** Where the page is: a path, and the filters in its query. */
export interface Place {
  readonly path: string
  readonly query: URLSearchParams
}

const here = (): Place => ({
  path: location.pathname.replace(/(?<=[^/])\/+$/, ''),
  query: new URLSearchParams(location.search),
})

export const place = signal<Place>(here())

/** Goes to a place of the page. `replace`: without an entry in the history, for filters that are typed. */
export function navigate(href: string, { replace = false } = {}): void {
  if (replace) history.replaceState(null, '', href)
  else history.pushState(null, '', href)
  place.value = here()
  if (!replace) scrollTo(0, 0)
}

/** Sets parameters of the query, to several values if they are a list; an empty value removes one. */
export function setQuery(
  changes: Readonly<Record<string, string | readonly string[]>>,
  options = { replace: true },
): void {
  const query = new URLSearchParams(place.peek().query)
  for (const [name, value] of Object.entries(changes)) {
    query.delete(name)
    for (const one of [value].flat()) if (one !== '') query.append(name, one)
  }
  navigate(place.peek().path + (query.size === 0 ? '' : `?${query}`), options)
}

/** Follows links within the page without loading it again, and the buttons for back and forward. */
export function startRouter(isPage: (path: string) => boolean): void {
  addEventListener('popstate', () => {
    place.value = here()
  })
  addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (!link || link.target || link.origin !== location.origin || !isPage(link.pathname)) return
    if (link.hash && link.pathname === location.pathname) return
    event.preventDefault()
    navigate(link.pathname + link.search)
  })
}
