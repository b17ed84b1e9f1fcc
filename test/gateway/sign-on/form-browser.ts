import { Agent, fetch } from 'undici'

/** A browser as far as forms need one: it keeps cookies, follows redirects, and sends forms. */
export class FormBrowser {
  readonly #cookies = new Map<string, Map<string, string>>()
  /** Where it is. */
  url = ''
  #text = ''

  readonly #trust: { readonly dispatcher?: Agent }

  /** `stopAt`: an address that is not opened, where the test looks at what comes. `ca`: whose certificates it trusts in addition. */
  constructor(
    readonly stopAt: (url: string) => boolean = () => false,
    ca?: string,
  ) {
    this.#trust = ca === undefined ? {} : { dispatcher: new Agent({ connect: { ca } }) }
  }

  get text(): string {
    return this.#text
  }

  async open(url: string, form?: URLSearchParams): Promise<void> {
    let next = url
    let body = form
    for (let hops = 0; hops < 20; hops++) {
      this.url = next
      if (this.stopAt(next)) return
      const { host } = new URL(next)
      const cookies = [...(this.#cookies.get(host) ?? [])].map((pair) => pair.join('=')).join('; ')
      const response = await fetch(next, {
        method: body ? 'POST' : 'GET',
        redirect: 'manual',
        headers: { accept: 'text/html', ...(cookies && { cookie: cookies }) },
        ...(body && { body }),
        ...this.#trust,
      })
      for (const line of response.headers.getSetCookie()) this.#keep(host, line)
      this.#text = await response.text()
      const location = response.headers.get('location')
      if (location === null) return
      next = new URL(location, next).href
      body = undefined
    }
    throw new Error(`too many redirects: ${next}`)
  }

  /** Sends the first form of the page, with these values in addition to those that it has. */
  async submit(given: Readonly<Record<string, string>> = {}): Promise<void> {
    const [, attributes = '', inner = ''] = /<form([^>]*)>([\s\S]*?)<\/form>/.exec(this.#text) ?? []
    const [, action = ''] = /action="([^"]*)"/.exec(attributes) ?? []
    if (action === '') throw new Error(`there is no form at ${this.url}: ${this.#text}`)
    const form = new URLSearchParams()
    for (const [input] of inner.matchAll(/<input[^>]*>/g)) {
      const [, name] = /name="([^"]*)"/.exec(input) ?? []
      const [, value = ''] = /value="([^"]*)"/.exec(input) ?? []
      if (name !== undefined) form.set(name, value)
    }
    for (const [name, value] of Object.entries(given)) form.set(name, value)
    await this.open(new URL(action, this.url).href, form)
  }

  #keep(host: string, line: string): void {
    const [pair = ''] = line.split(';')
    const at = pair.indexOf('=')
    const own = this.#cookies.get(host) ?? new Map<string, string>()
    own.set(pair.slice(0, at), pair.slice(at + 1))
    this.#cookies.set(host, own)
  }
}

/** Signs on as this user at a page of the provider, through all of its forms. */
export async function signOnAs(browser: FormBrowser, user: string): Promise<void> {
  for (let forms = 0; forms < 6 && /<form/.test(browser.text) && !browser.stopAt(browser.url); forms++)
    await browser.submit(/name="login"/.test(browser.text) ? { login: user, password: 'any' } : {})
}
