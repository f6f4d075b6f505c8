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

/** One entry of an error document. The service leaves most members out; some endpoints send plain strings instead. */
export interface ErrorObject {
  readonly status?: string | number;
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly source?: { readonly pointer?: string; readonly parameter?: string };
}
