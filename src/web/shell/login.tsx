import { useSignal } from '@preact/signals'
import { Refused } from '../gateway/call.js'
import { texts } from '../texts.js'
import { hasExpired, logIn, useKey } from './session.js'

const words = texts.login

function reasonOf(error: unknown, withKey: boolean): string {
  if (!(error instanceof Refused)) return words.unreachable
  if (error.status === 429) return words.tooMany(error.retryAfter ?? 60)
  if (withKey && (error.status === 401 || error.status === 404)) return words.keyRefused
  return error.code === 'invalid_credentials' ? words.refused : texts.failed(error.message)
}

/** Shown in the place of every page while nobody is logged in; the address stays, so that one is back there at once. */
export function Login() {
  const withKey = useSignal(false)
  const problem = useSignal('')
  const isBusy = useSignal(false)

  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault()
    const form = event.currentTarget as HTMLFormElement
    const given = new FormData(form)
    const text = (name: string): string => String(given.get(name) ?? '')
    isBusy.value = true
    problem.value = ''
    try {
      if (withKey.value) await useKey(text('key').trim())
      else await logIn(text('email').trim(), text('password'))
    } catch (error) {
      problem.value = reasonOf(error, withKey.value)
      form.querySelector<HTMLInputElement>('[data-first]')?.focus()
    } finally {
      isBusy.value = false
    }
  }

  return (
    <main class="login" id="content">
      <form onSubmit={submit} aria-labelledby="login-heading">
        <p class="login-product">{texts.product}</p>
        <h1 id="login-heading">{words.heading}</h1>
        {hasExpired.value && <p class="notice">{words.expired}</p>}
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
                  problem.value = ''
                }}
              />
              <span>{key ? words.withKey : words.withPassword}</span>
            </label>
          ))}
        </fieldset>
        {withKey.value ? <KeyField /> : <PasswordFields />}
        <p class="problem" role="alert">
          {problem.value}
        </p>
        <button class="primary" type="submit" disabled={isBusy.value}>
          {words.submit}
        </button>
      </form>
    </main>
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

function PasswordFields() {
  return (
    <>
      <label class="field">
        <span>{words.email}</span>
        <input name="email" type="text" inputMode="email" autocomplete="username" required data-first />
      </label>
      <label class="field">
        <span>{words.password}</span>
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
    </>
  )
}
