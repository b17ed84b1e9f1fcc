import type { RefObject } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import type { EventList } from './event-list.js'

/** A list that is scrolled farther than this, in CSS pixels, stands still. */
const HELD_BELOW = 160

/**
 * The list stands still while one has scrolled down, and while the keyboard is in it, so that what is read does not move
 * away. Returns the element around its rows.
 */
export function useHeldWhileRead(
  list: EventList,
  /** The window scrolls nothing but the list. */
  { isWindow = true } = {},
): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    let [isOwn, hasKeys] = [false, false]
    const look = (): void => {
      const isRead = hasKeys || (isWindow && scrollY > HELD_BELOW)
      if (isRead && !list.isHeld.peek()) {
        isOwn = true
        list.hold(true)
      } else if (!isRead && isOwn) {
        isOwn = false
        list.hold(false)
      }
    }
    const isInside = (target: EventTarget | null): boolean =>
      target instanceof Element && place.current?.contains(target) === true
    const enter = ({ target }: FocusEvent): void => {
      hasKeys = isInside(target) && (target as Element).matches(':focus-visible')
      look()
    }
    const leave = ({ relatedTarget }: FocusEvent): void => {
      // In another window it is still the element that has the focus here.
      if (isInside(relatedTarget) || isInside(document.activeElement)) return
      hasKeys = false
      look()
    }
    addEventListener('scroll', look, { passive: true })
    addEventListener('focusin', enter)
    addEventListener('focusout', leave)
    return () => {
      removeEventListener('scroll', look)
      removeEventListener('focusin', enter)
      removeEventListener('focusout', leave)
    }
  }, [list])
  return place
}
