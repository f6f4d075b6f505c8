/** Where a host has its API, by the service's document. */
export const API_PATH = '/api/v2';
