import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { SignOnOffer } from '../../contract/topics/accounts/sign-on.js'
import { systemClock } from '../../kit/clock.js'
import { Refused } from '../gateway/call.js'
import { every } from '../parts/every.js'
import { texts } from '../texts.js'
import { beginSignOn, hasExpired, logIn, readSignOnOffer, signOnProblem, useKey } from './session.js'

const words = texts.login
/** Seconds to wait where the gateway does not say how long. */
const USUAL_WAIT = 60

function reasonOf(error: unknown, withKey: boolean): string {
  if (!(error instanceof Refused)) return words.unreachable
  if (error.status === 429) return words.tooMany
  if (withKey && (error.status === 401 || error.status === 404)) return words.keyRefused
  if (error.code === 'sso_required') return words.ssoRequired
  return error.code === 'invalid_credentials' ? words.refused : texts.failed(error.message)
}

/** Whole seconds until another attempt makes sense; 0 for now. */
function useCountdown() {
  const left = useSignal(0)
  const isCounting = left.value > 0
  useEffect(() => {
    if (!isCounting) return
    const end = systemClock.now() + left.peek() * 1000
    return every(250, () => {
      left.value = Math.max(0, Math.ceil((end - systemClock.now()) / 1000))
    })
  }, [isCounting])
  return left
}

/** Shown in the place of every page while nobody is logged in; the address stays, so that one is back there at once. */
export function Login() {
  const withKey = useSignal(false)
  const problem = useSignal('')
  const isBusy = useSignal(false)
  const wait = useCountdown()
  const form = useRef<HTMLFormElement>(null)
  const focus = (): void => form.current?.querySelector<HTMLInputElement>('[data-first]')?.focus()
  useEffect(focus, [])
  // Attempts are counted for each email and for keys.
  const startAgain = (): void => {
    problem.value = ''
    wait.value = 0
  }

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    if (wait.peek() > 0) return
    const given = new FormData(event.currentTarget as HTMLFormElement)
    const text = (name: string): string => String(given.get(name) ?? '')
    isBusy.value = true
    problem.value = ''
    try {
      if (withKey.value) await useKey(text('key').trim())
      else await logIn(text('email').trim(), text('password'))
    } catch (error) {
      problem.value = reasonOf(error, withKey.value)
      if (error instanceof Refused && error.status === 429) wait.value = error.retryAfter ?? USUAL_WAIT
      focus()
    } finally {
      isBusy.value = false
    }
  }

  return (
    <main class="login" id="content">
      <form ref={form} onSubmit={submit} aria-labelledby="login-heading">
        <p class="login-product">{texts.product}</p>
        <h1 id="login-heading">{words.heading}</h1>
        {hasExpired.value && <p class="notice">{words.expired}</p>}
        <SignOn />
        <fieldset class="choice">
          <legend class="unseen">{words.how}</legend>
          {[false, true].map((key) => (
            <label key={String(key)}>
              <input
                type="radio"
                name="how"
                checked={withKey.value === key}
                onChange={() => {
                  withKey.value = key
                  startAgain()
                }}
              />
              <span>{key ? words.withKey : words.withPassword}</span>
            </label>
          ))}
        </fieldset>
        {withKey.value ? <KeyField /> : <PasswordFields changed={startAgain} />}
        <p class="problem" role="alert">
          {problem.value}
        </p>
        {wait.value > 0 && <p role="timer">{words.tryAgainIn(wait.value)}</p>}
        <button class="primary" type="submit" disabled={isBusy.value || wait.value > 0}>
          {words.submit}
        </button>
      </form>
    </main>
  )
}

/** The button for company accounts, where the gateway has them. */
function SignOn() {
  const offer = useSignal<SignOnOffer | undefined>(undefined)
  const isBusy = useSignal(false)
  useEffect(() => {
    readSignOnOffer().then(
      (read) => {
        offer.value = read
      },
      () => undefined,
    )
  }, [])
  const { enabled, name, page_url, local } = offer.value ?? {}
  if (!enabled || !page_url) return null
  const begin = async (): Promise<void> => {
    isBusy.value = true
    signOnProblem.value = ''
    try {
      await beginSignOn()
    } catch (error) {
      signOnProblem.value = error instanceof Refused ? error.message : words.unreachable
      isBusy.value = false
    }
  }
  const { origin } = new URL(page_url)
  return (
    <div class="sign-on">
      {origin === location.origin ? (
        <button class="primary" type="button" disabled={isBusy.value} onClick={begin}>
          {words.signOn(name ?? '')}
        </button>
      ) : (
        <a href={origin + location.pathname + location.search}>{words.signOnElsewhere(origin)}</a>
      )}
      <p class="problem" role="alert">
        {signOnProblem.value}
      </p>
      {local === 'admins-only' && <p>{words.adminsOnly}</p>}
    </div>
  )
}

function KeyField() {
  return (
    <label class="field">
      <span>{words.key}</span>
      <input name="key" type="password" autocomplete="off" required data-first aria-describedby="key-help" />
      <small id="key-help">{words.keyHelp}</small>
    </label>
  )
}

function PasswordFields({ changed }: { readonly changed: () => void }) {
  return (
    <>
      <label class="field">
        <span>{words.email}</span>
        <input
          name="email"
          type="text"
          inputMode="email"
          autocomplete="username"
          required
          data-first
          onInput={changed}
        />
      </label>
      <label class="field">
        <span>{words.password}</span>
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
    </>
  )
}
