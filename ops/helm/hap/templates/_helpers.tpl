{{- define "hap.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "hap.selector" -}}
app.kubernetes.io/name: hap
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "hap.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{ include "hap.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- /* The Secret with the database's address: yours, or the trial's. */}}
{{- define "hap.databaseSecret" -}}
{{- if .Values.database.existingSecret }}{{ .Values.database.existingSecret }}
{{- else if .Values.database.trial.enabled }}{{ include "hap.name" . }}-database
{{- else }}{{ fail "Set database.existingSecret to a Secret with the key `url`, or database.trial.enabled=true for a trial." }}
{{- end }}
{{- end }}
