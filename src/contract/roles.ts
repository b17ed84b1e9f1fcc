/**
 * Roles of users. Each role includes the permissions of the roles before it. What a call needs is its `access`, in
 * `topics/`; `api/request/authenticate` checks it.
 */
export const ROLES = ['viewer', 'operator', 'engineer', 'admin'] as const
export type Role = (typeof ROLES)[number]

/** True when `role` may do what `needed` may. */
export const mayActAs = (role: Role, needed: Role): boolean => ROLES.indexOf(role) >= ROLES.indexOf(needed)
