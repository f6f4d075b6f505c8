/** The JSON:API shapes that travel between orgctl and the service. Types and literal constants only. */

export const JSON_API_MEDIA_TYPE = 'application/vnd.api+json';

export interface ResourceIdentifier {
  readonly type: string;
  readonly id: string;
}

export interface Relationship {
  readonly data?: ResourceIdentifier | readonly ResourceIdentifier[] | null;
  readonly links?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface Resource extends ResourceIdentifier {
  readonly attributes?: Readonly<Record<string, unknown>>;
  readonly relationships?: Readonly<Record<string, Relationship>>;
  readonly links?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/** `meta.pagination` of a list document. Absent or null members are unknown, not zero. */
export interface Pagination {
  readonly 'current-page'?: number | null;
  readonly 'page-size'?: number | null;
  readonly 'prev-page'?: number | null;
  readonly 'next-page'?: number | null;
  readonly 'total-pages'?: number | null;
  readonly 'total-count'?: number | null;
}

interface Document<Data> {
  readonly data: Data;
  readonly included?: readonly Resource[];
  readonly links?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>> & { readonly pagination?: Pagination };
}

export type ResourceDocument = Document<Resource>;
export type ListDocument = Document<readonly Resource[]>;

/** One entry of an error document. The service leaves most members out; some endpoints send plain strings instead. */
export interface ErrorObject {
  readonly status?: string | number;
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly source?: { readonly pointer?: string; readonly parameter?: string };
}

/** Where a host has its API. Assumed: the API of a host is below /api/v2; the service's document shows paths without it. */
export const API_PATH = '/api/v2';

/** Where people create their tokens, in the hosted edition and in Terraform Enterprise alike. */
export const TOKENS_PAGE = '/app/settings/tokens';
