//! How far to trust the server, and TLS with rustls.

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};
use std::path::PathBuf;
use std::sync::Arc;
use tokio_postgres_rustls::MakeRustlsConnect;

/// The protection of a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Security {
    /// None: `sslmode=disable`, as usual on one machine.
    None,
    /// Encryption without verifying the server: `sslmode=require`.
    Unverified,
    /// Encryption, with a server certificate for its name that the authorities of this file or of the system have
    /// signed: `sslmode=verify-full`.
    Verified(Option<PathBuf>),
}

impl Security {
    /// The protection that `sslmode` and `sslrootcert` of an address ask for.
    ///
    /// # Errors
    /// When the mode is unknown; the message lists the modes.
    pub(crate) fn parse(
        mode: Option<&str>,
        root: Option<&str>,
        is_local: bool,
    ) -> Result<Security, String> {
        let root = root.map(PathBuf::from);
        match mode {
            None if is_local && root.is_none() => Ok(Security::None),
            None | Some("verify-full") => Ok(Security::Verified(root)),
            Some("disable") => Ok(Security::None),
            Some("require") => Ok(Security::Unverified),
            Some(mode) => Err(format!(
                "sslmode={mode}: expected verify-full, require (encrypted, and nobody verifies who answers) or disable"
            )),
        }
    }

    /// The requested TLS; unused without protection.
    ///
    /// # Errors
    /// When there are no authorities to verify by.
    pub(crate) fn connector(&self) -> Result<MakeRustlsConnect, String> {
        let builder = ClientConfig::builder();
        let provider = builder.crypto_provider().clone();
        let config = match self {
            Security::Verified(root) => builder
                .with_root_certificates(authorities(root.as_ref())?)
                .with_no_client_auth(),
            // Without TLS, this makes no difference.
            Security::None | Security::Unverified => builder
                .dangerous()
                .with_custom_certificate_verifier(Arc::new(AnyServer(provider)))
                .with_no_client_auth(),
        };
        Ok(MakeRustlsConnect::new(config))
    }
}

fn authorities(file: Option<&PathBuf>) -> Result<RootCertStore, String> {
    let mut roots = RootCertStore::empty();
    match file {
        Some(path) => {
            let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
            let found = CertificateDer::pem_file_iter(path).map_err(|error| told(&error))?;
            for certificate in found {
                let certificate = certificate.map_err(|error| told(&error))?;
                roots.add(certificate).map_err(|error| told(&error))?;
            }
        }
        None => {
            // A certificate that cannot be read is useless here.
            roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if roots.is_empty() {
        return Err(
            "there is no certificate to verify the server by; name the file of its authority with sslrootcert=".into(),
        );
    }
    Ok(roots)
}

/// Accepts every certificate, but verifies that the server has its key.
#[derive(Debug)]
struct AnyServer(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyServer {
    fn verify_server_cert(
        &self,
        _: &CertificateDer<'_>,
        _: &[CertificateDer<'_>],
        _: &ServerName<'_>,
        _: &[u8],
        _: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls12_signature(message, certificate, signature, known)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        let known = &self.0.signature_verification_algorithms;
        verify_tls13_signature(message, certificate, signature, known)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
