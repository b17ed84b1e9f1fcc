import { endpoints } from '../../contract/endpoints.js'
import { Problem } from '../../contract/errors.js'
import type { Page } from '../../contract/schema.js'
import type { ApiKey } from '../../contract/topics/accounts/keys.js'
import { GatewayCommand } from '../gateway-command.js'
import type { FormatTime } from '../output/local-time.js'
import type { Column } from '../output/output.js'

const ID = /^key_[0-9a-z]{10}$/

/** When a key expires, in words. */
export function expiryText({ expires_at, expired }: ApiKey, formatTime: FormatTime): string {
  if (expires_at === null) return 'never'
  return expired ? `${formatTime(expires_at)} (expired)` : formatTime(expires_at)
}

export abstract class KeyCommand extends GatewayCommand {
  /** The key that a name or an id means. */
  async key(given: string): Promise<ApiKey> {
    if (ID.test(given)) return this.call(endpoints.getKey, { params: { id: given } })
    const found = (await this.allKeys()).find(({ name }) => name === given)
    if (!found) throw new Problem('key_not_found', `There is no API key "${given}".`)
    return found
  }

  async allKeys(): Promise<ApiKey[]> {
    const found: ApiKey[] = []
    let cursor: string | null | undefined
    while (cursor !== null) {
      const paging = { limit: 1000, ...(cursor !== undefined && { cursor }) }
      const page: Page<ApiKey> = await this.call(endpoints.listKeys, { query: paging })
      found.push(...page.items)
      cursor = page.next_cursor
    }
    return found
  }

  get columns(): readonly Column<ApiKey>[] {
    const { formatTime } = this
    return [
      { title: 'NAME', text: ({ name }) => name },
      { title: 'ID', text: ({ id }) => id, spare: true },
      { title: 'ROLE', text: ({ role }) => role },
      { title: 'SELECTOR', text: ({ label_selector }) => label_selector ?? '', spare: true },
      {
        title: 'EXPIRES',
        text: (key) => expiryText(key, formatTime),
        key: ({ expires_at }) => expires_at ?? '~',
      },
      {
        title: 'LAST USED',
        text: ({ last_used_at }) => formatTime(last_used_at) || 'never',
        key: ({ last_used_at }) => last_used_at ?? '',
      },
    ]
  }
}
